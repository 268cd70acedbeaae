/** What staff do with blocks. */
import { staffActs } from '../../api/staff-acts.ts';
import { csvProblems } from '../../catalog/index.ts';
import { operatorLimits } from '../../contract/operator/limits.ts';
import type { Environment } from '../../contract/wire.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Reads } from '../../platform/postgres/replica.ts';
import { importBlocks } from '../import-block-file.ts';
import {
  blockNights,
  listBlocksOf,
  refuseArtificialNights,
  unblockNights,
} from '../manage-blocks.ts';
import { blockView, listedBlockView } from '../views.ts';

interface BlocksContext {
  database: Database;
  /** Where lists read: a replica that has everything, or the database. */
  reads: Pick<Reads, 'run'>;
  environment: Environment;
}

/** Blocks: listed, added, removed, imported. */
export const blockActs = staffActs<BlocksContext>()({
  'operator.block.list': async ({ context, query: { limit, cursor, listing } }) => {
    const page = await context.reads.run((from) =>
      listBlocksOf(from, { listing }, { limit, cursor }),
    );
    return { items: page.items.map(listedBlockView), nextCursor: page.nextCursor };
  },
  'operator.block.add': ({ context, actor, body }) => {
    refuseArtificialNights(context.environment, 'blocks');
    return blockNights(context.database, actor.name, { ...body, reason: body.reason ?? null });
  },
  'operator.block.remove': async ({ context, actor, params }) =>
    blockView(await unblockNights(context.database, actor.name, params.blockId)),
  'operator.block.import': async ({ context, actor, body: { file, dryRun = false } }) => {
    refuseArtificialNights(context.environment, 'blocks');
    const options = { actor: actor.name, dryRun, mostLines: operatorLimits.csvLines };
    const result = await importBlocks(context.database, Buffer.from(file), options);
    if ('problems' in result) return csvProblems(result.problems);
    const changes = result.changes.slice(0, operatorLimits.describedChanges);
    return { dryRun, ...result, changes };
  },
});
