/** `latchkey-partner mcp`: tools for an agent, by standard input and output or by HTTP. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { settlesItself } from '../mcp/settles.ts';
import { type CommandContext, numberOf, UsageError } from './context.ts';

const usualPort = 8090;

const portProblems: Readonly<Record<string, string>> = {
  EADDRINUSE: 'The port is in use: name another one with --port.',
  ERR_SOCKET_BAD_PORT: '--port must be at most 65535.',
};

const isSdkMissing = ({ code, message }: NodeJS.ErrnoException): boolean =>
  code === 'ERR_MODULE_NOT_FOUND' && message.includes('@modelcontextprotocol/');

/** The SDK is part of the packed package; in the project it is a package for development. */
async function load() {
  try {
    const [server, http, sdk] = await Promise.all([
      import('../mcp/server.ts'),
      import('../mcp/http.ts'),
      import('../mcp/sdk.ts'),
    ]);
    return { ...server, ...http, ...sdk };
  } catch (error) {
    if (!isSdkMissing(error as NodeJS.ErrnoException)) throw error;
    throw new UsageError('The SDK of the protocol is missing: run `npm ci` without --omit=dev.');
  }
}

const aborted = (signal: AbortSignal): Promise<unknown> =>
  signal.aborted ? Promise.resolve() : once(signal, 'abort');

/** Serves until Ctrl-C, or until the agent's program ends. */
export async function mcp(context: CommandContext): Promise<number> {
  const { flags, settings, env, signal, say, show } = context;
  const isHttp = flags['http'] === true;
  const port = numberOf(context, 'port');
  const withReservations = flags['allow-reservations'] === true;
  const token = env['LATCHKEY_MCP_TOKEN'] || null;
  if (!isHttp && port !== undefined) throw new UsageError('--port needs --http.');
  if (isHttp && withReservations && token === null) {
    throw new UsageError(
      'Every user of this machine could book: set LATCHKEY_MCP_TOKEN, which callers must send.',
    );
  }
  const { agentClient, createMcpServer, serveHttp, StdioServerTransport, Toolbox } = await load();
  const client = agentClient(settings);
  // What is not known yet, the service decides at the first request.
  if (withReservations && (await settlesItself(client)) === false) {
    throw new UsageError(
      'Only applications that settle with their guests themselves can request reservations: start without --allow-reservations.',
    );
  }
  const toolbox = new Toolbox(client, withReservations);
  if (!isHttp) {
    const server = createMcpServer(toolbox);
    const ended = once(process.stdin, 'end');
    await server.connect(new StdioServerTransport());
    await Promise.race([ended, aborted(signal)]);
    await server.close();
    return 0;
  }
  const server = await serveHttp(toolbox, { port: port ?? usualPort, token }).catch(
    (error: NodeJS.ErrnoException) => {
      throw new UsageError(portProblems[error.code ?? ''] ?? error.message);
    },
  );
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  say(`Agents find the tools at ${url}. Press Ctrl-C to stop.`);
  show({ url, tools: toolbox.tools.map(({ name }) => name) });
  await aborted(signal);
  server.closeAllConnections();
  server.close();
  return 0;
}
