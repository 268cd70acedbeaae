/** Catalog files on disk, or in memory. */

import { createReadStream } from 'node:fs';
import type { CatalogSource } from './read-catalog-file.ts';

// Of a file of `{}` alone, a chunk has 20,000 values.
const chunkBytes = 64 * 1024;

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

/** The end of a piece of a text that begins here: a surrogate pair is not divided. */
function endOfPiece(text: string, from: number): number {
  const end = from + chunkBytes;
  const isInPair = end < text.length && text.codePointAt(end - 1)! > 0xffff;
  return isInPair ? end - 1 : end;
}

/** A file in memory. */
export const textSource = (text: string): CatalogSource => ({
  async *open() {
    let end: number;
    for (let from = 0; from < text.length; from = end) {
      end = endOfPiece(text, from);
      yield Buffer.from(text.slice(from, end));
    }
  },
});
