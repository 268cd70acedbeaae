/** What the command needs of other packages: `npm pack` bundles this file, so that the package depends on none. */
export { Server } from '@modelcontextprotocol/sdk/server/index.js';
export { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
export { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
export type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
export {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js';
export { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
export { default as addFormats } from 'ajv-formats';
