/** Serves the built pages: the partner portal and the operator's console. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

const assets = 'assets/';
// The build writes this placeholder for each nonce; see `console/vite.config.ts`.
const noncePlaceholder = '__CSP_NONCE__';
const yearMs = 31_536_000_000;

const policy = (scripts: string, styles: string): string =>
  [
    "default-src 'none'",
    `script-src 'self'${scripts}`,
    `style-src 'self' ${styles}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** A page and the API behind it, which have the same first segment of their paths. */
type Page = 'portal' | 'operator';

const notBuiltPage = (base: string, page: Page): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Latchkey ${page}</title>
  </head>
  <body>
    <h1>This page is not built</h1>
    <p>Run <code>npm run build:console</code> in the project's folder and start the service again.</p>
    <p>The <a href="${base}/${page}/openapi.json">JSON API</a> works without it.</p>
  </body>
</html>
`;

/** The scripts in a document, as its policy names them: only these texts may run. */
const inlineScripts = (document: string): string =>
  [...document.matchAll(/<script(?![^>]* src=)[^>]*>(?<text>[^]*?)<\/script>/g)]
    .map(({ groups }) => createHash('sha256').update(groups!['text']!).digest('base64'))
    .map((digest) => ` 'sha256-${digest}'`)
    .join('');

// The build names the page's files relative to the page, which is served at many addresses.
const readPage = (folder: string, base: string, page: Page): Promise<string> =>
  readFile(path.join(folder, `${page}.html`), 'utf8').then(
    (built) => built.replaceAll(`"./${assets}`, `"${base}/${page}/${assets}`),
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return notBuiltPage(base, page);
      throw error;
    },
  );

/** Sends a page. Its styles carry a new nonce for each response. */
function pageSender(page: string): (reply: FastifyReply) => FastifyReply {
  const scripts = inlineScripts(page);
  return (reply) => {
    const nonce = randomBytes(16).toString('base64');
    const styles = page.includes(noncePlaceholder) ? `'nonce-${nonce}'` : "'unsafe-inline'";
    return reply
      .headers({ 'cache-control': 'no-store', 'content-security-policy': policy(scripts, styles) })
      .type('text/html; charset=utf-8')
      .send(page.replaceAll(noncePlaceholder, nonce));
  };
}

const isClientRoute = (url: string): boolean => !/^\/[a-z]+\/(?:v1|assets)\//.test(url);

/**
 * Serves a page at its path, such as `/portal`, and at every client-side route below it.
 *
 * @param base the path of the base URL
 */
export async function consoleRoutes(
  app: FastifyInstance,
  folder: string,
  base: string,
  name: Page,
): Promise<void> {
  const sendPage = pageSender(await readPage(folder, base, name));
  // Asset names contain a hash, so their content never changes.
  app.get<{ Params: { '*': string } }>(`/${name}/${assets}*`, (request, reply) =>
    reply.header('vary', 'accept-encoding').sendFile(`${assets}${request.params['*']}`, {
      cacheControl: true,
      immutable: true,
      maxAge: yearMs,
    }),
  );
  app.get(`/${name}`, async (_request, reply) => sendPage(reply));
  app.get(`/${name}/*`, async (request, reply) =>
    isClientRoute(request.url) ? sendPage(reply) : reply.callNotFound(),
  );
}
