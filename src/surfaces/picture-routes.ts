import type { FastifyInstance } from 'fastify';
import { isStoredName, pictureMediaType, uploadsPath } from '../catalog/index.ts';
import {
  type FileStorage,
  StorageError,
  type StoredFile,
} from '../platform/file-storage/file-storage.ts';
import { tagsIn } from '../platform/etag.ts';

// The name is a digest of the content.
const forever = 'public, max-age=31536000, immutable';

// Each holds a connection to the storage or an open file, until its caller has it.
const mostReads = 64;

/** Reads at most `mostReads` files at once. Throws `StorageError` for a further one. */
function boundedReads(pictures: FileStorage): (name: string) => Promise<StoredFile | null> {
  let reads = 0;
  const end = (): void => {
    reads -= 1;
  };
  return async (name) => {
    if (reads >= mostReads) throw new StorageError(`${mostReads} pictures are being read`);
    reads += 1;
    try {
      const file = await pictures.read(name);
      if (file) file.content.once('close', end);
      else end();
      return file;
    } catch (error) {
      end();
      throw error;
    }
  };
}

/** Serves uploaded pictures at `/pictures/uploaded/<picture>-<size>.jpg`, to everybody. */
export function pictureUploadRoutes(app: FastifyInstance, pictures: FileStorage): void {
  const config = { operation: 'picture' };
  const read = boundedReads(pictures);
  app.get(`/${uploadsPath}/:name`, { config }, async (request, reply) => {
    const { name } = request.params as { name: string };
    if (!isStoredName(name)) return reply.callNotFound();
    const etag = `"${name}"`;
    void reply
      .header('etag', etag)
      .header('content-security-policy', "default-src 'none'; sandbox")
      .header('cross-origin-resource-policy', 'cross-origin');
    // Not `*`: only a read tells whether there is such a picture.
    if (tagsIn(request.headers['if-none-match']).includes(etag)) {
      return reply.code(304).header('cache-control', forever).send();
    }
    const file = await read(name);
    if (!file) return reply.callNotFound();
    if (file.size !== null) void reply.header('content-length', file.size);
    return reply.header('cache-control', forever).type(pictureMediaType).send(file.content);
  });
}
