import type { Place } from '../place.ts';
import { type CursorOwner, readCursor, writeCursor } from '../../access/index.ts';
import { limits } from '../../contract/limits.ts';
import type { Meta } from '../../contract/partner/schemas/primitives.ts';
import type { Vault } from '../../platform/vault.ts';
import type { EpochMs } from '../../contract/time.ts';
import { type CatalogContext } from '../context.ts';

/** The paging input of both lists of listings. */
export interface PageInput {
  limit?: number;
  cursor?: string;
}

/** Reads the place after which the page begins; null: the first page. */
export function placeAfter(
  vault: Vault,
  owner: CursorOwner,
  cursor: string | undefined,
  path: string,
): Place | null {
  if (cursor === undefined) return null;
  const [position = '', listingId = ''] = readCursor(vault, owner, cursor, path).split(' ');
  return { position: Number(position), listingId };
}

/** Writes the cursor after a place; null: there is no next page. */
export const cursorAfter = (
  vault: Vault,
  owner: CursorOwner,
  place: Place | null,
): string | null =>
  place === null ? null : writeCursor(vault, owner, `${place.position} ${place.listingId}`);

export const pageSize = ({ limit }: PageInput): number => limit ?? limits.pageSize.default;

// Many responses in a row are of the same moment.
let lastAsOf = { asOf: 0, text: new Date(0).toISOString() };

function asOfText(asOf: EpochMs): string {
  if (asOf !== lastAsOf.asOf) lastAsOf = { asOf, text: new Date(asOf).toISOString() };
  return lastAsOf.text;
}

/** Spec: Freshness metadata. */
export const completeMeta = (context: CatalogContext, asOf: EpochMs): Meta => ({
  asOf: asOfText(asOf),
  completeness: 'complete',
  definitionVersion: context.definitionVersion,
});
