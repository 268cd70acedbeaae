/** Catalog files in memory, and the problems that the reader finds in them. */
import { createNameCheck, type KnownSlugs } from '../../src/catalog/file/names.ts';
import { createProblemList, type FileProblems } from '../../src/catalog/file/problems.ts';
import {
  readCatalogFile,
  type Batch,
  type CatalogSource,
} from '../../src/catalog/file/read-catalog-file.ts';

/** A file of these bytes, read in chunks of this size. */
export const sourceOf = (
  content: string | Buffer | object,
  chunkBytes = 65_536,
): CatalogSource & { reads: number } => {
  const isDocument = typeof content === 'object' && !Buffer.isBuffer(content);
  const bytes = Buffer.from(isDocument ? JSON.stringify(content, null, 2) : (content as string));
  return {
    reads: 0,
    async *open() {
      this.reads += 1;
      for (let at = 0; at < bytes.length; at += chunkBytes) {
        yield bytes.subarray(at, at + chunkBytes);
      }
    },
  };
};

/** A catalog without listings and collections. */
const nothingKnown: KnownSlugs = { listings: new Set(), collections: new Set() };

/** Reads a whole file: its batches and its problems. */
export async function readWhole(
  source: CatalogSource,
  known = nothingKnown,
): Promise<FileProblems & { batches: Batch[] }> {
  const problems = createProblemList();
  const checkNames = createNameCheck(known);
  const batches: Batch[] = [];
  for await (const batch of readCatalogFile(source, problems)) {
    checkNames(batch);
    batches.push(batch);
  }
  return { ...problems.all(), batches };
}
