/** Blocks, in an import: the inventory writes them. */

import type { Batch } from '../file/read-catalog-file.ts';
import type { ImportedBlock } from './block-import.ts';
import { describedEntries, entryChange } from './difference.ts';
import type { ImportState } from './import-state.ts';

/**
 * Collects blocks of the file. In a file with problems, homes can be missing that are new: their blocks are not
 * compared.
 */
export async function stageBlocks(
  state: ImportState,
  entries: Extract<Batch, { list: 'blocks' }>['entries'],
): Promise<void> {
  const { executor, options } = state;
  if (!options.blocks) {
    entries[0]?.report(
      '',
      'blocks are not supported by the simulation, whose availability is artificial',
    );
    return;
  }
  await options.blocks.stage(
    executor,
    entries.flatMap(({ at, line, isSound, value: { listing, from, to, reason = null } }) => {
      const listingId = state.listingId(listing);
      return listingId === undefined || !isSound ? [] : [{ at, line, listingId, from, to, reason }];
    }),
  );
}

/** Writes the blocks and reports those on nights that are taken, also beside other problems of the file. */
export async function applyBlocks(state: ImportState): Promise<void> {
  const { executor, options, problems, difference } = state;
  if (!options.blocks) return;
  const replaceIn = options.mode === 'replace' ? state.catalogId : null;
  const changes = await options.blocks.apply(executor, replaceIn, describedEntries);
  const { added, changed, removed, collisions } = changes;
  for (const { at, line, message } of collisions.first) {
    problems.add({ pointer: `/blocks/${at}`, message }, () => line);
  }
  problems.addUnnamed(collisions.count - collisions.first.length);
  const described = [added, changed, removed].flatMap(({ first }) => first);
  const slugs = await state.slugsOf(new Set(described.map(({ listingId }) => listingId)));
  const nameOf = ({ listingId, from, to }: ImportedBlock) =>
    `${slugs.get(listingId) ?? listingId} ${from} to ${to}`;
  difference.blocks = {
    added: added.count,
    changed: changed.count,
    withdrawn: removed.count,
    entries: [
      ...added.first.map((block) => entryChange('added', nameOf(block))),
      ...changed.first.map((block) => entryChange('changed', nameOf(block))),
      ...removed.first.map((block) => entryChange('withdrawn', nameOf(block))),
    ].slice(0, describedEntries),
  };
}
