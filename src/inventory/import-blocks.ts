/** Writes and reads the blocks of a catalog file. */

import type { BlockImport, ImportedBlock, StagedBlock } from '../catalog/index.ts';
import type { Executor } from '../platform/postgres/database.ts';
import {
  addBlocks,
  type Block,
  type BlockCollision,
  listBlocks,
  type TakenNights,
} from './store/blocks.ts';
import {
  createStagedBlocks,
  readStagedBlocks,
  removeOtherBlocks,
  stageBlocks,
} from './store/staged-blocks.ts';

function whatTakes(taken: TakenNights): string {
  const nights = `from ${taken.from} to ${taken.to}`;
  if (taken.kind === 'block') {
    return `${taken.source === 'outside' ? 'an outside stay' : 'a block'} ${nights}`;
  }
  if (taken.kind === 'held') return `a stay ${nights} that is being booked`;
  return `the stay ${taken.reference} ${nights}`;
}

/** Says which stays and blocks have nights of a new block. */
export const collisionText = ({ taken }: Pick<BlockCollision, 'taken'>): string =>
  `overlaps ${taken.map(whatTakes).join(' and ')}`;

/** Counts values, and collects the first ones. */
const some = <T>(described: number) => {
  const first: T[] = [];
  let count = 0;
  return {
    add(value: T): void {
      count += 1;
      if (first.length < described) first.push(value);
    },
    all: () => ({ count, first }),
  };
};

async function apply(executor: Executor, replaceIn: string | null, described: number) {
  const removed =
    replaceIn === null
      ? { count: 0, first: [] }
      : await removeOtherBlocks(executor, replaceIn, described);
  const added = some<ImportedBlock>(described);
  const changed = some<ImportedBlock>(described);
  const collisions = some<{ at: number; line: number; message: string }>(described);
  for await (const staged of readStagedBlocks(executor)) {
    const result = await addBlocks(
      executor,
      staged.map(({ at: _at, line: _line, ...block }) => ({ ...block, source: 'file' })),
    );
    if (result.outcome === 'taken') {
      for (const collision of result.collisions) {
        const { at, line } = staged[collision.index]!;
        collisions.add({ at, line, message: collisionText(collision) });
      }
      continue;
    }
    result.blocks.forEach(({ change }, index) => {
      const { at: _at, line: _line, ...block } = staged[index]!;
      if (change === 'added') added.add(block);
      if (change === 'changed') changed.add(block);
    });
  }
  return {
    added: added.all(),
    changed: changed.all(),
    removed,
    collisions: collisions.all(),
  };
}

/** The inventory's part of an import of a catalog file. */
export const blockImport: BlockImport = {
  begin: createStagedBlocks,
  stage: (executor: Executor, blocks: readonly StagedBlock[]) => stageBlocks(executor, blocks),
  apply,
};

const blocksPerPage = 10_000;

/** The blocks of listings that a catalog file has: from files and by staff, by listing and date. */
export async function readFileBlocks(
  executor: Executor,
  listingIds: readonly string[],
): Promise<Block[]> {
  const blocks: Block[] = [];
  for (let page: Block[] | null = null; page === null || page.length === blocksPerPage;) {
    const after = blocks.at(-1);
    page = await listBlocks(executor, {
      listingIds,
      atMost: blocksPerPage,
      ...(after ? { after } : {}),
    });
    blocks.push(...page);
  }
  return blocks.filter(({ source }) => source !== 'channel');
}
