import {
  type CursorOwner,
  positionAt,
  positionText,
  readCursor,
  writeCursor,
} from '../../access/index.ts';
import { isRefusal, type Refusal } from '../../contract/errors.ts';
import type { Vault } from '../../platform/vault.ts';
import type { ResultPosition } from './find-homes.ts';
import type { SearchSort } from './home-search.ts';

/** Writes the cursor after a result. Spec: SEARCH-9. */
export function searchCursor(
  vault: Vault,
  owner: CursorOwner,
  sort: SearchSort,
  { key, sortKey: { position, listingId } }: ResultPosition,
): string {
  const sortKey = positionText(position, listingId);
  return writeCursor(vault, owner, sort === 'position' ? sortKey : `${key} ${sortKey}`);
}

/** Reads the sort key of a cursor. Refuses one that was not issued for this search. */
export function readSearchCursor(
  vault: Vault,
  owner: CursorOwner,
  sort: SearchSort,
  cursor: string,
): ResultPosition | Refusal<'invalid_input'> {
  const text = readCursor(vault, owner, cursor, '/cursor');
  if (isRefusal(text)) return text;
  const keyEnd = sort === 'position' ? 0 : text.indexOf(' ') + 1;
  const [position, listingId] = positionAt(text.slice(keyEnd));
  return { key: Number(text.slice(0, keyEnd)), sortKey: { position, listingId } };
}
