import type { FastifyInstance } from 'fastify';
import { isStoredName, pictureMediaType, uploadsPath } from './catalog/index.ts';
import type { FileStorage } from './platform/file-storage/file-storage.ts';

// The name is a digest of the content.
const forever = 'public, max-age=31536000, immutable';

/** Serves uploaded pictures at `/pictures/uploaded/<picture>-<size>.jpg`, to everybody. */
export function pictureUploadRoutes(app: FastifyInstance, pictures: FileStorage): void {
  const config = { operation: 'picture' };
  app.get(`/${uploadsPath}/:name`, { config }, async (request, reply) => {
    const { name } = request.params as { name: string };
    if (!isStoredName(name)) return reply.callNotFound();
    const etag = `"${name}"`;
    void reply
      .header('etag', etag)
      .header('content-security-policy', "default-src 'none'; sandbox")
      .header('cross-origin-resource-policy', 'cross-origin');
    if (request.headers['if-none-match'] === etag) {
      return reply.code(304).header('cache-control', forever).send();
    }
    const file = await pictures.read(name);
    if (!file) return reply.callNotFound();
    if (file.size !== null) void reply.header('content-length', file.size);
    return reply.header('cache-control', forever).type(pictureMediaType).send(file.content);
  });
}
