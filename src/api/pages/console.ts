/** Serves the built page of the portal. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

const assets = 'assets/';
// The build writes this placeholder for each nonce; see `console/vite.config.ts`.
const noncePlace = '__CSP_NONCE__';
const yearMs = 31_536_000_000;

const policy = (styles: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' ${styles}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const notBuiltPage = `<!doctype html>
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

const readPage = (folder: string): Promise<string> =>
  readFile(path.join(folder, 'index.html'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return notBuiltPage;
    throw error;
  });

/** Sends the page. Its styles carry a new nonce for each response. */
function sendPage(reply: FastifyReply, page: string): FastifyReply {
  const nonce = randomBytes(16).toString('base64');
  const styles = page.includes(noncePlace) ? `'nonce-${nonce}'` : "'unsafe-inline'";
  return reply
    .headers({ 'cache-control': 'no-store', 'content-security-policy': policy(styles) })
    .type('text/html; charset=utf-8')
    .send(page.replaceAll(noncePlace, nonce));
}

const isClientRoute = (url: string): boolean => !/^\/portal\/(?:v1|assets)\//.test(url);

/** Serves the portal's page at `/portal` and at every client-side route below it. */
export async function consoleRoutes(app: FastifyInstance, folder: string): Promise<void> {
  const page = await readPage(folder);
  // Asset names contain a hash, so their content never changes.
  app.get<{ Params: { '*': string } }>(`/portal/${assets}*`, (request, reply) =>
    reply.header('vary', 'accept-encoding').sendFile(`${assets}${request.params['*']}`, {
      cacheControl: true,
      immutable: true,
      maxAge: yearMs,
    }),
  );
  app.get('/portal', async (_request, reply) => sendPage(reply, page));
  app.get('/portal/*', async (request, reply) =>
    isClientRoute(request.url) ? sendPage(reply, page) : reply.callNotFound(),
  );
}
