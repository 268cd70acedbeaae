import scalar, { type ApiReferenceConfiguration } from '@scalar/fastify-api-reference';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';
import { CatalogFile } from '../contract/catalog-file.ts';

const openApiPath = '/openapi.json';
const portalOpenApiPath = '/portal/openapi.json';
const pagePath = '/docs';
const viewerPath = '/docs/viewer.js';
const startPath = '/docs/start.js';

/** How the pages are shown: nothing of it leads to another host. */
const configuration: Partial<ApiReferenceConfiguration> = {
  url: openApiPath,
  // Calls from the pages go to the service that serves them, whatever its host is called.
  servers: [{ url: '/', description: 'This service' }],
  telemetry: false,
  withDefaultFonts: false,
  persistAuth: false,
  defaultOpenAllTags: true,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
};

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Latchkey</title>
    <link rel="icon" href="data:," />
  </head>
  <body>
    <div id="app"></div>
    <script src="${viewerPath}"></script>
    <script src="${startPath}"></script>
  </body>
</html>
`;

const start = `Scalar.createApiReference('#app', ${JSON.stringify(configuration)});\n`;

// The viewer writes style attributes and data URLs of its own; everything else comes from here.
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The viewer's script, as its plugin serves it: taken out once, so that nothing is made per request. */
async function viewerScript(): Promise<Buffer> {
  const source = Fastify();
  await source.register(scalar, { routePrefix: '/viewer', configuration: { url: openApiPath } });
  const answer = await source.inject('/viewer/js/scalar.js');
  await source.close();
  if (answer.statusCode !== 200) throw new Error('the viewer of the documentation is missing');
  return answer.rawPayload;
}

interface Resource {
  bytes: Buffer;
  type: string;
}

const tagOf = (bytes: Buffer): string =>
  `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;

/** Serves bytes as they are, and 304 to whoever has them. */
function serve(app: FastifyInstance, path: string, { bytes, type }: Resource): void {
  const etag = tagOf(bytes);
  const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    reply.headers({
      etag,
      'cache-control': 'no-cache',
      'content-security-policy': contentSecurityPolicy,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    return reply.header('content-type', type).send(bytes);
  };
  app.get(path, { exposeHeadRoute: false }, handler);
}

const catalogSchemaPath = '/catalog.schema.json';
const catalogSchema = Buffer.from(JSON.stringify(CatalogFile, null, 2));

const script = (bytes: Buffer): Resource => ({ bytes, type: 'text/javascript; charset=utf-8' });

/** The committed documents. */
export interface Documents {
  openApiBytes: Buffer;
  portalOpenApiBytes: Buffer;
}

/** Serves the contract: the committed documents, and pages for people to read the partners' one. */
export async function docsPages(
  app: FastifyInstance,
  { openApiBytes, portalOpenApiBytes }: Documents,
): Promise<void> {
  const html: Resource = { bytes: Buffer.from(page), type: 'text/html; charset=utf-8' };
  serve(app, openApiPath, { bytes: openApiBytes, type: 'application/json' });
  serve(app, portalOpenApiPath, { bytes: portalOpenApiBytes, type: 'application/json' });
  serve(app, catalogSchemaPath, { bytes: catalogSchema, type: 'application/schema+json' });
  serve(app, pagePath, html);
  serve(app, `${pagePath}/`, html);
  serve(app, startPath, script(Buffer.from(start)));
  serve(app, viewerPath, script(await viewerScript()));
}
