/** Blocks by staff: added, listed and removed one by one. */

import {
  invalidMember,
  noSuch,
  OperatorRefusal,
  pageForStaff,
  type PageOfStaff,
  type PageRequest,
} from '../access/index.ts';
import { findSlugs, listingFor } from '../catalog/index.ts';
import type { Environment } from '../contract/wire.ts';
import { auditedChange } from '../platform/audit/audited-change.ts';
import type { Database, Executor } from '../platform/postgres/database.ts';
import { collisionText } from './import-blocks.ts';
import { addBlocks, listBlocks, removeBlock, type Block, type NewBlock } from './store/blocks.ts';
import { findCalendarOfBlock } from './store/channel-nights.ts';

/** The longest reason of a block. */
export const blockReasonLength = 500;

/** Refuses what the simulation does not have, because its availability is artificial. Throws `OperatorRefusal`. */
export function refuseArtificialNights(environment: Environment, what: string): void {
  if (environment !== 'simulation') return;
  throw new OperatorRefusal(`Availability in the simulation is artificial: it has no ${what}.`);
}

/** A block as staff name it. */
export interface BlockInput {
  /** Slug or ID. */
  listing: string;
  from: string;
  to: string;
  reason: string | null;
}

/** Blocks nights of a home. Blocking the same nights again changes nothing. Throws `OperatorRefusal`. */
export async function blockNights(
  database: Database,
  actor: string,
  { listing: text, from, to, reason }: BlockInput,
): Promise<{ blockId: string }> {
  if (to <= from) {
    const field = { path: '/to', message: 'must be after the first night' };
    throw invalidMember(field, `The day ${to} is not after ${from}.`);
  }
  const { blockId } = await auditedChange(
    database,
    async (executor) => {
      const { slug, id: listingId } = await listingFor(executor, text);
      const block: NewBlock = { listingId, from, to, reason, source: 'staff' };
      const result = await addBlocks(executor, [block]);
      if (result.outcome === 'taken') {
        throw new OperatorRefusal(
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
            applicationId: null,
            details: { blockId: id, listing: slug, from, to, reason, ...(before && { before }) },
          },
  );
  return { blockId };
}

/** Removes a block that does not come from a channel's calendar. Throws `OperatorRefusal`. */
export async function unblockNights(
  database: Database,
  actor: string,
  blockId: string,
): Promise<Block> {
  const block = await auditedChange(
    database,
    (executor) => removeBlock(executor, blockId),
    ({ listingId, from, to, reason, source }) => ({
      actor,
      action: 'block.remove',
      applicationId: null,
      details: { blockId, listingId, from, to, reason, source },
    }),
  );
  if (block) return block;
  const calendarId = await findCalendarOfBlock(database, blockId);
  if (calendarId === undefined) throw noSuch(`There is no block ${blockId}.`);
  throw new OperatorRefusal(
    `The block ${blockId} comes from the channel calendar ${calendarId}, which would block the nights again: change them there, or remove the calendar.`,
  );
}

/** A block in a list, with slug and name of its home. */
export interface ListedBlock extends Block {
  listing: string;
  listingName: string;
}

/** Lists the blocks of a home, or of all, by the ID of the home and date. Throws `OperatorRefusal`. */
export async function listBlocksOf(
  executor: Executor,
  { listing }: { listing?: string | undefined },
  page: PageRequest,
): Promise<PageOfStaff<ListedBlock>> {
  const only = listing === undefined ? null : (await listingFor(executor, listing)).id;
  const { items, nextCursor } = await pageForStaff(
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
      placeOf: ({ listingId, from }) => [listingId, from],
    },
    page,
  );
  const homes = await findSlugs(executor, [...new Set(items.map(({ listingId }) => listingId))]);
  return {
    items: items.map((block) => {
      const { slug, name } = homes.get(block.listingId)!;
      return { ...block, listing: slug, listingName: name };
    }),
    nextCursor,
  };
}
