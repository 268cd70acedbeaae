/** What staff do with blocks. */
import { staffActs } from '../../api/staff-acts.ts';
import { csvProblems } from '../../catalog/index.ts';
import { isRefusal } from '../../contract/errors.ts';
import { operatorLimits } from '../../contract/operator/limits.ts';
import type { Environment } from '../../contract/wire.ts';
import type { WithReads } from '../../platform/postgres/replica.ts';
import { importBlocks } from '../import-block-file.ts';
import {
  artificialNightsRefusal,
  blockNights,
  listBlocksOf,
  unblockNights,
} from '../edit-blocks.ts';
import { blockView, listedBlockView } from '../views.ts';

interface BlocksContext extends WithReads {
  environment: Environment;
}

/** Blocks: listed, added, removed, imported. */
export const blockActs = staffActs<BlocksContext>()({
  'operator.block.list': async ({ context, query: { limit, cursor, listing } }) => {
    const page = await context.reads.run((from) =>
      listBlocksOf(from, { listing }, { limit, cursor }),
    );
    return isRefusal(page) ? page : { ...page, items: page.items.map(listedBlockView) };
  },
  'operator.block.add': ({ context, actor, body }) =>
    artificialNightsRefusal(context.environment, 'blocks') ??
    blockNights(context.database, actor.name, { ...body, reason: body.reason ?? null }),
  'operator.block.remove': async ({ context, actor, params }) => {
    const removed = await unblockNights(context.database, actor.name, params.blockId);
    return isRefusal(removed) ? removed : blockView(removed);
  },
  'operator.block.import': async ({ context, actor, body: { file, dryRun = false } }) => {
    const refusal = artificialNightsRefusal(context.environment, 'blocks');
    if (refusal) return refusal;
    const options = { actor: actor.name, dryRun, mostLines: operatorLimits.csvLines };
    const result = await importBlocks(context.database, Buffer.from(file), options);
    if ('problems' in result) return csvProblems(result.problems);
    const changes = result.changes.slice(0, operatorLimits.describedChanges);
    return { dryRun, ...result, changes };
  },
});
