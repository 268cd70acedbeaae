/** Writes a catalog file in pieces, so that a catalog of any size needs little memory. */

import {
  catalogFormat,
  type CatalogBlock,
  type CatalogHead,
  type CatalogListing,
  type CatalogPromotion,
} from '../../contract/catalog-file.ts';

/** Items of a list, in batches. */
type Batches<T> = AsyncIterable<readonly T[]> | Iterable<readonly T[]>;

/** The parts of a catalog file. */
export interface CatalogFileContent {
  catalog: CatalogHead['catalog'];
  listings: AsyncGenerator<CatalogListing[]> | Generator<CatalogListing[]>;
  blocks: AsyncGenerator<CatalogBlock[]> | Generator<CatalogBlock[]>;
  promotions: readonly CatalogPromotion[];
}

const indented = (value: unknown, spaces: number): string =>
  JSON.stringify(value, null, 2).replaceAll('\n', `\n${' '.repeat(spaces)}`);

/** Writes a list; each item begins a line. */
async function* listText<T>(
  name: string,
  batches: Batches<T>,
  textOf: (item: T) => string,
): AsyncGenerator<string> {
  let isEmpty = true;
  for await (const batch of batches) {
    if (batch.length === 0) continue;
    yield isEmpty ? `,\n  "${name}": [\n    ` : ',\n    ';
    yield batch.map(textOf).join(',\n    ');
    isEmpty = false;
  }
  yield isEmpty ? `,\n  "${name}": []` : '\n  ]';
}

/** Writes a catalog file. The same parts give the same text. */
export async function* writeCatalogFile(parts: CatalogFileContent): AsyncGenerator<string> {
  const { catalog, listings, blocks, promotions } = parts;
  yield `{\n  "format": "${catalogFormat}",\n  "catalog": ${indented(catalog, 2)}`;
  yield* listText('listings', listings, (listing) => indented(listing, 4));
  yield* listText('promotions', [promotions], (promotion) => JSON.stringify(promotion));
  yield* listText('blocks', blocks, (block) => JSON.stringify(block));
  yield '\n}\n';
}
