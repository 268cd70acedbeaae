/** Catalog files on disk, or in memory. */

import { createReadStream } from 'node:fs';
import type { CatalogSource } from './read-catalog-file.ts';

const chunkBytes = 1024 * 1024;

/** A file on disk. `onRead` gets the bytes read so far, in this pass. */
export const fileSource = (
  file: string | URL,
  onRead: (bytes: number) => void = () => undefined,
): CatalogSource => ({
  async *open() {
    let bytes = 0;
    for await (const chunk of createReadStream(file, { highWaterMark: chunkBytes })) {
      yield chunk as Buffer;
      bytes += (chunk as Buffer).length;
      onRead(bytes);
    }
  },
});

/** A file in memory. */
export const textSource = (text: string): CatalogSource => ({
  async *open() {
    yield Buffer.from(text);
  },
});
