import type { Place } from '../place.ts';
import {
  type CursorOwner,
  positionAt,
  positionText,
  readCursor,
  writeCursor,
} from '../../access/index.ts';
import { limits } from '../../contract/limits.ts';
import type { Meta } from '../../contract/partner/schemas/primitives.ts';
import type { Vault } from '../../platform/vault.ts';
import { type EpochMs, instant } from '../../contract/time.ts';
import type { CatalogContext } from '../context.ts';

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
  const [position, listingId] = positionAt(readCursor(vault, owner, cursor, path));
  return { position, listingId };
}

/** Writes the cursor after a place; null: there is no next page. */
export const cursorAfter = (
  vault: Vault,
  owner: CursorOwner,
  place: Place | null,
): string | null =>
  place === null ? null : writeCursor(vault, owner, positionText(place.position, place.listingId));

export const pageSize = ({ limit }: PageInput): number => limit ?? limits.pageSize.default;

// Many consecutive responses have the same time.
let lastAsOf = { asOf: 0, text: instant(0) };

function asOfText(asOf: EpochMs): string {
  if (asOf !== lastAsOf.asOf) lastAsOf = { asOf, text: instant(asOf) };
  return lastAsOf.text;
}

/** Spec: Freshness metadata. */
export const completeMeta = (context: CatalogContext, asOf: EpochMs): Meta => ({
  asOf: asOfText(asOf),
  completeness: 'complete',
  definitionVersion: context.definitionVersion,
});
