import { type CursorOwner, readCursor, writeCursor } from '../../access/index.ts';
import type { Vault } from '../../platform/vault.ts';
import type { ResultPlace } from './find-homes.ts';
import type { SearchSort } from './home-search.ts';

/** Writes the cursor after a result. */
export function searchCursor(
  vault: Vault,
  owner: CursorOwner,
  sort: SearchSort,
  { key, place: { position, listingId } }: ResultPlace,
): string {
  const place = `${position} ${listingId}`;
  return writeCursor(vault, owner, sort === 'position' ? place : `${key} ${place}`);
}

/** Reads the place of a cursor. Throws `invalid_input` if it was not issued for this search. */
export function readSearchCursor(
  vault: Vault,
  owner: CursorOwner,
  sort: SearchSort,
  cursor: string,
): ResultPlace {
  const parts = readCursor(vault, owner, cursor, '/cursor').split(' ');
  const [key = '', position = '', listingId = ''] = sort === 'position' ? ['0', ...parts] : parts;
  return { key: Number(key), place: { position: Number(position), listingId } };
}
