/** The page of the portal as it was built. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

const assets = 'assets/';
// The build leaves it where a nonce belongs; see the console's own configuration.
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

const unbuilt = (base: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Latchkey portal</title>
  </head>
  <body>
    <h1>The portal's page is not built</h1>
    <p>Run <code>npm run build:console</code> in the project's folder and start the service again.</p>
    <p>The <a href="${base}/portal/openapi.json">JSON API</a> of the portal works without it.</p>
  </body>
</html>
`;

// The build names the page's files relative to the page, which is at many addresses.
const readPage = (folder: string, base: string): Promise<string> =>
  readFile(path.join(folder, 'index.html'), 'utf8').then(
    (built) => built.replaceAll(`"./${assets}`, `"${base}/portal/${assets}`),
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return unbuilt(base);
      throw error;
    },
  );

/** The page itself: its styles carry a nonce that is another each time. */
function sendPage(reply: FastifyReply, page: string): FastifyReply {
  const nonce = randomBytes(16).toString('base64');
  const styles = page.includes(noncePlace) ? `'nonce-${nonce}'` : "'unsafe-inline'";
  return reply
    .headers({ 'cache-control': 'no-store', 'content-security-policy': policy(styles) })
    .type('text/html; charset=utf-8')
    .send(page.replaceAll(noncePlace, nonce));
}

const isPageOfIts = (url: string): boolean => !/^\/portal\/(?:v1|assets)\//.test(url);

/**
 * Serves the page of the portal: at `/portal`, and wherever below it the page has places of its own.
 *
 * @param base the path of the base URL
 */
export async function consoleRoutes(
  app: FastifyInstance,
  folder: string,
  base: string,
): Promise<void> {
  const page = await readPage(folder, base);
  // The names of assets have a hash in them: what is under one never changes.
  app.get<{ Params: { '*': string } }>(`/portal/${assets}*`, (request, reply) =>
    reply.header('vary', 'accept-encoding').sendFile(`${assets}${request.params['*']}`, {
      cacheControl: true,
      immutable: true,
      maxAge: yearMs,
    }),
  );
  app.get('/portal', async (_request, reply) => sendPage(reply, page));
  app.get('/portal/*', async (request, reply) =>
    isPageOfIts(request.url) ? sendPage(reply, page) : reply.callNotFound(),
  );
}
