import type { FastifyInstance, FastifyReply } from 'fastify';
import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { etagOf } from '../platform/etag.ts';

/** The page of the portal as it was built: its files by their names below the folder. */
export type ConsoleFiles = ReadonlyMap<string, Buffer>;

const indexFile = 'index.html';
const assets = 'assets/';
// The build leaves it where a nonce belongs; see the console's own configuration.
const noncePlace = '__CSP_NONCE__';
const yearSeconds = 31_536_000;

/** Reads the built page; empty where it was not built. */
export async function readConsole(folder: string): Promise<ConsoleFiles> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    },
  );
  const files = entries.filter((entry) => entry.isFile());
  return new Map(
    await Promise.all(
      files.map(async (entry): Promise<[string, Buffer]> => {
        const file = path.join(entry.parentPath, entry.name);
        return [path.relative(folder, file).replaceAll(path.sep, '/'), await readFile(file)];
      }),
    ),
  );
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

const typeOf = (name: string): string => types[path.extname(name)] ?? 'application/octet-stream';

const policy = (styles: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' ${styles}`.trimEnd(),
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const common = {
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
} as const;

const unbuilt = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Latchkey portal</title>
  </head>
  <body>
    <h1>The portal's page is not built</h1>
    <p>Run <code>npm run build:console</code> in the project's folder and start the service again.</p>
    <p>The <a href="/portal/openapi.json">JSON API</a> of the portal works without it.</p>
  </body>
</html>
`;

/** The page itself: its styles carry a nonce that is another each time. */
function sendPage(reply: FastifyReply, page: string): FastifyReply {
  const nonce = randomBytes(16).toString('base64');
  const styles = page.includes(noncePlace) ? `'nonce-${nonce}'` : "'unsafe-inline'";
  return reply
    .headers({
      ...common,
      'cache-control': 'no-store',
      'content-security-policy': policy(styles),
    })
    .type('text/html; charset=utf-8')
    .send(page.replaceAll(noncePlace, nonce));
}

/** A file beside the page. Those under `assets` have a hash in their name, and never change. */
function fileRoute(app: FastifyInstance, name: string, bytes: Buffer): void {
  const etag = etagOf(bytes);
  const headers = {
    ...common,
    etag,
    'content-security-policy': policy(''),
    'cache-control': name.startsWith(assets)
      ? `public, max-age=${yearSeconds}, immutable`
      : 'no-cache',
  };
  app.get(`/portal/${name}`, async (request, reply) => {
    reply.headers(headers);
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    return reply.type(typeOf(name)).send(bytes);
  });
}

const isPageOfIts = (url: string): boolean =>
  !url.startsWith('/portal/v1/') && !url.startsWith(`/portal/${assets}`);

/** Serves the page of the portal: at `/portal`, and wherever below it the page has places of its own. */
export function consolePages(app: FastifyInstance, files: ConsoleFiles): void {
  const page = files.get(indexFile)?.toString() ?? unbuilt;
  for (const [name, bytes] of files) if (name !== indexFile) fileRoute(app, name, bytes);
  app.get('/portal', async (_request, reply) => sendPage(reply, page));
  app.get('/portal/*', async (request, reply) =>
    isPageOfIts(request.url) ? sendPage(reply, page) : reply.callNotFound(),
  );
}
