import { readCursor, writeCursor, type CursorOwner } from '../../../access/index.ts';
import { limits } from '../../../contract/limits.ts';
import type { Meta } from '../../../contract/schemas/primitives.ts';
import type { Vault } from '../../../db/vault.ts';
import type { EpochMs } from '../../../domain/booking.ts';
import type { House } from '../../call.ts';

/** What both lists of homes take. */
export interface PageInput {
  limit?: number;
  cursor?: string;
}

/** The place after which the page begins; -1: the beginning. */
export const placeAfter = (
  vault: Vault,
  owner: CursorOwner,
  cursor: string | undefined,
  path: string,
): number => (cursor === undefined ? -1 : Number(readCursor(vault, owner, cursor, path)));

/** The cursor after a place; null: the list ends. */
export const cursorAfter = (
  vault: Vault,
  owner: CursorOwner,
  place: number | null,
): string | null => (place === null ? null : writeCursor(vault, owner, String(place)));

export const pageSize = ({ limit }: PageInput): number => limit ?? limits.pageSize.default;

/** Spec: Freshness metadata. */
export const completeMeta = (house: House, asOf: EpochMs): Meta => ({
  asOf: new Date(asOf).toISOString(),
  completeness: 'complete',
  definitionVersion: house.supply.definitionVersion,
});
