/** The MCP server over HTTP: for programs on this machine alone. */
import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { StreamableHTTPServerTransport } from './sdk.ts';
import { createMcpServer, type Toolbox } from './server.ts';

const mostBytes = 262_144;
const mostAtOnce = 20;
const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

const isLoopback = (url: string): boolean =>
  URL.canParse(url) && loopback.has(new URL(url).hostname);

const isSame = (given: string, wanted: string): boolean => {
  const [one, other] = [Buffer.from(given), Buffer.from(wanted)];
  return one.length === other.length && timingSafeEqual(one, other);
};

interface Refused {
  status: number;
  message: string;
  headers?: Readonly<Record<string, string>>;
}

/**
 * Whether a request is refused before it is read. A page of another site that a browser on this machine shows must
 * not get here, also if its name leads to this machine: so both Host and Origin must name this machine.
 */
function refusalOf(
  { method, url = '', headers }: IncomingMessage,
  token: string | null,
): Refused | null {
  if (!isLoopback(`http://${headers.host ?? ''}`)) {
    return { status: 403, message: 'The Host header must name this machine.' };
  }
  if (headers.origin !== undefined && !isLoopback(headers.origin)) {
    return { status: 403, message: 'Pages of other sites may not call this server.' };
  }
  if (url.split('?', 1)[0] !== '/mcp') {
    return { status: 404, message: 'The server is at /mcp.' };
  }
  if (token !== null && !isSame(headers.authorization ?? '', `Bearer ${token}`)) {
    const message = 'Send Authorization: Bearer with the value of LATCHKEY_MCP_TOKEN.';
    return { status: 401, message, headers: { 'www-authenticate': 'Bearer' } };
  }
  if (method !== 'POST') {
    const message = 'There are no sessions and no streams: use POST.';
    return { status: 405, message, headers: { allow: 'POST' } };
  }
  return null;
}

function refuse(response: ServerResponse, { status, message, headers }: Refused): void {
  const error = { jsonrpc: '2.0', error: { code: -32_000, message }, id: null };
  response.writeHead(status, {
    'content-type': 'application/json',
    connection: 'close',
    ...headers,
  });
  response.end(JSON.stringify(error));
}

async function answer(toolbox: Toolbox, request: IncomingMessage, response: ServerResponse) {
  // Each request stands alone: nothing is kept that could grow, and a restart loses nothing.
  const transport = new StreamableHTTPServerTransport({
    enableJsonResponse: true,
    maxRequestBodySize: mostBytes,
  });
  const server = createMcpServer(toolbox);
  response.once('close', () => void server.close());
  await server.connect(transport);
  await transport.handleRequest(request, response);
}

/** Starts to listen on the loopback interface. With a `token`, callers must send it. */
export async function serveHttp(
  toolbox: Toolbox,
  { port, token }: { port: number; token: string | null },
): Promise<Server> {
  let running = 0;
  const server = createServer((request, response) => {
    const refused = refusalOf(request, token);
    if (refused) {
      refuse(response, refused);
      return;
    }
    if (running >= mostAtOnce) {
      const message = `At most ${mostAtOnce} calls at once.`;
      refuse(response, { status: 503, message, headers: { 'retry-after': '1' } });
      return;
    }
    running += 1;
    response.once('close', () => (running -= 1));
    answer(toolbox, request, response).catch(() => response.destroy());
  });
  server.headersTimeout = 10_000;
  server.requestTimeout = 30_000;
  server.maxConnections = 100;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return server;
}
