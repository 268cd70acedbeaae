/** The catalog itself and its collections, in an import. */

import type { CatalogHead } from '../../contract/catalog-file.ts';
import {
  findCollections,
  writeCatalog,
  writeCollections as writeStored,
} from '../store/catalogs.ts';
import { addChange, changedMembers, entryChange } from './difference.ts';
import type { ImportState, Report } from './import-state.ts';
import { positionAfter, positionsOf } from './positions.ts';

type FileCollections = NonNullable<CatalogHead['catalog']['collections']>;

const completeHead = (head: CatalogHead['catalog'], slug: string) => ({
  slug,
  name: head.name,
  discovery: head.discovery,
  policies: head.policies ?? [],
  standards: head.standards ?? [],
  trader: head.trader ?? null,
  cancellationText: head.cancellationText ?? null,
});

/** Reports IDs of collections that differ from the stored ones: an ID never changes. */
async function checkCollectionIds(
  state: ImportState,
  collections: FileCollections,
  report: Report,
): Promise<void> {
  const ids = collections.flatMap(({ collectionId }) => collectionId?.toLowerCase() ?? []);
  const found = await findCollections(state.executor, ids);
  const owners = new Map(found.map((owner) => [owner.collectionId, owner]));
  collections.forEach(({ slug, collectionId }, at) => {
    const id = collectionId?.toLowerCase();
    if (id === undefined) return;
    const pointer = `/catalog/collections/${at}/collectionId`;
    const existing = state.collections.get(slug)?.collectionId ?? id;
    const owner = owners.get(id);
    const isOwn = !owner || (owner.slug === slug && owner.catalogId === state.catalogId);
    if (existing !== id) report(pointer, `must be its existing ID: ${existing}`);
    else if (!isOwn) report(pointer, `is the ID of another collection: ${owner.slug}`);
  });
}

async function compareCollections(
  state: ImportState,
  collections: FileCollections,
  report: Report,
): Promise<void> {
  await checkCollectionIds(state, collections, report);
  const known = collections.map(({ slug }) => state.collections.get(slug));
  const next = positionAfter(state.collections.values());
  const positions = positionsOf(
    known.map((collection) => collection?.position ?? null),
    next,
  );
  const changed = collections.flatMap((collection, at) => {
    const { slug, name, description = null } = collection;
    state.namedCollections.add(slug);
    const before = known[at];
    const collectionId = collection.collectionId?.toLowerCase() ?? null;
    const position = positions[at]!;
    const isSold = before !== undefined && !before.withdrawn;
    const members = isSold
      ? changedMembers(
          { name: before.name, description: before.description },
          { name, description },
        )
      : [];
    if (!isSold) addChange(state.difference, 'collections', entryChange('added', slug));
    else if (members.length > 0) {
      addChange(state.difference, 'collections', entryChange('changed', slug, { members }));
    }
    const isReordered = isSold && before.position !== position;
    if (isReordered) state.difference.moved += 1;
    if (isSold && !isReordered && members.length === 0) return [];
    const id = before?.collectionId ?? collectionId;
    return [{ slug, name, description, position, collectionId: id }];
  });
  state.prepared.collections = changed;
}

/** Compares what a catalog says of itself, and its collections, with what is stored. */
export async function compareHead(
  state: ImportState,
  head: CatalogHead['catalog'],
  report: Report,
): Promise<void> {
  const written = completeHead(head, state.slug);
  const { slug, name, discovery, policies, standards, trader, cancellationText } =
    state.catalog ?? written;
  const stored = { slug, name, discovery, policies, standards, trader, cancellationText };
  const members = state.catalog ? changedMembers(stored, written) : [];
  const isNew = state.catalog === undefined;
  if (isNew) addChange(state.difference, 'catalog', entryChange('added', state.slug));
  else if (members.length > 0) {
    addChange(state.difference, 'catalog', entryChange('changed', state.slug, { members }));
  }
  if (isNew || members.length > 0) state.prepared.head = written;
  await compareCollections(state, head.collections ?? [], report);
}

/** Writes what a catalog says of itself, and its collections. */
export async function writeHead(state: ImportState): Promise<void> {
  const { executor, prepared } = state;
  if (prepared.head) {
    state.catalogId = await writeCatalog(executor, prepared.head, await state.raised());
  }
  if (prepared.collections.length === 0) return;
  await state.raised();
  const taken = await writeStored(executor, state.catalogId!, prepared.collections);
  for (const collection of prepared.collections) {
    const collectionId = taken.get(collection.slug)!;
    state.collections.set(collection.slug, { ...collection, collectionId, withdrawn: false });
  }
}
