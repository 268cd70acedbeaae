/** Blocks by staff: added, listed and removed one by one. */

import { pageForStaff, type PageOfStaff, type PageRequest } from '../access/index.ts';
import { findSlugs, listingFor } from '../catalog/index.ts';
import { isRefusal, type Refusal } from '../contract/errors.ts';
import { refuseConflict, refuseStaff } from '../contract/operator/errors.ts';
import type { Environment } from '../contract/wire.ts';
import { auditedChange } from '../platform/audit/audited-change.ts';
import type { Database, Executor } from '../platform/postgres/database.ts';
import { collisionText } from './import-blocks.ts';
import { addBlocks, listBlocks, removeBlock, type Block, type NewBlock } from './store/blocks.ts';
import { findCalendarOfBlock } from './store/channel-nights.ts';

/** The longest reason of a block. */
export const blockReasonLength = 500;

/** Refuses what the simulation does not have, because its availability is artificial. Null: nights are real. */
export const artificialNightsRefusal = (
  environment: Environment,
  what: string,
): Refusal<'conflict'> | null =>
  environment === 'simulation'
    ? refuseConflict(`Availability in the simulation is artificial: it has no ${what}.`)
    : null;

/** A block as staff name it. */
export interface BlockInput {
  /** Slug or ID. */
  listing: string;
  from: string;
  to: string;
  reason: string | null;
}

/** Blocks nights of a home. Blocking the same nights again changes nothing. */
export async function blockNights(
  database: Database,
  actor: string,
  { listing: text, from, to, reason }: BlockInput,
): Promise<{ blockId: string } | Refusal<'invalid_input' | 'not_found' | 'conflict'>> {
  if (to <= from) {
    const field = { path: '/to', message: 'must be after the first night' };
    return refuseStaff('invalid_input', `The day ${to} is not after ${from}.`, field);
  }
  const added = await auditedChange(
    database,
    async (executor) => {
      const home = await listingFor(executor, text);
      if (isRefusal(home)) return home;
      const { slug, id: listingId } = home;
      const block: NewBlock = { listingId, from, to, reason, source: 'staff' };
      const result = await addBlocks(executor, [block]);
      if (result.outcome === 'taken') {
        return refuseConflict(
          `The nights ${from} to ${to} of ${slug} are not free: the block ${collisionText(result.collisions[0]!)}.`,
        );
      }
      return { ...result.blocks[0]!, slug };
    },
    ({ blockId: id, change, before, slug }) =>
      change === 'unchanged'
        ? []
        : {
            actor,
            action: 'block.add',
            details: { blockId: id, listing: slug, from, to, reason, ...(before && { before }) },
          },
  );
  return isRefusal(added) ? added : { blockId: added.blockId };
}

/** Removes a block that does not come from a channel's calendar. */
export async function unblockNights(
  database: Database,
  actor: string,
  blockId: string,
): Promise<Block | Refusal<'not_found' | 'conflict'>> {
  const block = await auditedChange(
    database,
    (executor) => removeBlock(executor, blockId),
    ({ listingId, from, to, reason, source }) => ({
      actor,
      action: 'block.remove',
      details: { blockId, listingId, from, to, reason, source },
    }),
  );
  if (block) return block;
  const calendarId = await findCalendarOfBlock(database, blockId);
  if (calendarId === undefined) {
    return refuseStaff('not_found', `There is no block ${blockId}.`);
  }
  return refuseConflict(
    `The block ${blockId} comes from the channel calendar ${calendarId}, which would block the nights again: change them there, or remove the calendar.`,
  );
}

/** A block in a list, with slug and name of its home. */
export interface ListedBlock extends Block {
  listing: string;
  listingName: string;
}

/** Lists the blocks of a home, or of all, by the ID of the home and date. */
export async function listBlocksOf(
  executor: Executor,
  { listing }: { listing?: string | undefined },
  asked: PageRequest,
): Promise<PageOfStaff<ListedBlock> | Refusal<'invalid_input' | 'not_found'>> {
  const home = listing === undefined ? null : await listingFor(executor, listing);
  if (isRefusal(home)) return home;
  const only = home && home.id;
  const page = await pageForStaff(
    executor.vault,
    {
      operation: 'staff.block.list',
      filters: { listingId: only },
      read: (after: [listingId: string, from: string] | null, atMost) =>
        listBlocks(executor, {
          ...(only !== null && { listingIds: [only] }),
          ...(after && { after: { listingId: after[0], from: after[1] } }),
          atMost,
        }),
      positionOf: ({ listingId, from }) => [listingId, from],
    },
    asked,
  );
  if (isRefusal(page)) return page;
  const { items, nextCursor } = page;
  const homes = await findSlugs(executor, [...new Set(items.map(({ listingId }) => listingId))]);
  return {
    items: items.map((block) => {
      const { slug, name } = homes.get(block.listingId)!;
      return { ...block, listing: slug, listingName: name };
    }),
    nextCursor,
  };
}
