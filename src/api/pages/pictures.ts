import staticFiles from '@fastify/static';
import type { FastifyInstance } from 'fastify';

const maxAgeSeconds = 86_400;
// No dot except before the extension, so a path cannot leave the folder or name a hidden file.
const picturePath =
  /^\/pictures\/((?:[A-Za-z0-9_-]+\/)*[A-Za-z0-9_-]+\.(?:avif|gif|jpe?g|png|svg|webp))$/;

/** Serves the images of a folder at `/pictures/…`. The folder may be missing. */
export async function pictureRoutes(app: FastifyInstance, folder: string): Promise<void> {
  await app.register(async (scope) => {
    await scope.register(staticFiles, {
      root: import.meta.dirname,
      serve: false,
      cacheControl: false,
    });
    scope.get('/pictures/*', (request, reply) => {
      const [, name] = picturePath.exec(request.url.split('?', 1)[0] ?? '') ?? [];
      if (name === undefined) return reply.callNotFound();
      return (
        reply
          .header('cache-control', `public, max-age=${maxAgeSeconds}`)
          // An SVG document can contain scripts.
          .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
          .sendFile(name, folder)
      );
    });
  });
}
