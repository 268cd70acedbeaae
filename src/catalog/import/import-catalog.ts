/** Writes a catalog file to the database. */

import type { CatalogHead, CatalogPromotion } from '../../contract/catalog-file.ts';
import { insertAuditEntry } from '../../platform/audit/audit-entries.ts';
import type { Database, Executor } from '../../platform/postgres/database.ts';
import { longTransaction } from '../../platform/postgres/long-transaction.ts';
import type { ReadListing } from '../file/entries.ts';
import { createNameCheck } from '../file/names.ts';
import { createProblemList, type FileProblems, type ProblemList } from '../file/problems.ts';
import {
  readCatalogFile,
  type Batch,
  type CatalogSource,
  type FileEntry,
} from '../file/read-catalog-file.ts';
import {
  findCollections,
  readCatalogs,
  readCollections,
  withdrawCollections,
  writeCatalog,
  writeCollections,
  type CatalogRecord,
  type PlacedCollection,
} from '../store/catalogs.ts';
import {
  readHomes,
  readIdentities,
  readPlaces,
  withdrawListings,
  writeHomes,
  writePlaces,
  type CatalogPlace,
} from '../store/listings.ts';
import { lockPromotions, withdrawPromotions, writePromotion } from '../store/promotions.ts';
import { lockCatalog, markCatalogs, raiseRevision } from '../store/revision.ts';
import type { BlockImport, ImportedBlock } from './block-import.ts';
import {
  addChange,
  changedMembers,
  changesAnything,
  describedEntries,
  entryChange,
  noDifference,
  type Difference,
} from './difference.ts';
import { positionAfter, positionsOf } from './positions.ts';
import { completePromotion, promotionInFile, promotionRow } from './promotions.ts';

/** `merge`: what the file does not name stays. `replace`: it is withdrawn from sale. */
type ImportMode = 'merge' | 'replace';

export interface ImportOptions {
  mode: ImportMode;
  /** Finds out what would change, and changes nothing. */
  dryRun: boolean;
  /** The catalog that is written; absent: the one that the file names. */
  slug?: string | undefined;
  /** The actor of the audit entry; null: the service itself, without an entry. */
  actor: string | null;
  /** Null: the installation invents its nights, so blocks are refused. */
  blocks: BlockImport | null;
}

/** What an import changes, or the problems that prevented it. */
export type ImportResult = { problems: FileProblems } | { catalog: string; difference: Difference };

type Report = (pointer: string, message: string) => void;
type FileCollections = NonNullable<CatalogHead['catalog']['collections']>;

/** A listing of the file after its batch. */
interface ImportedListing {
  listingId: string;
  /** The slug of its collection. */
  collection: string | null;
}

const completeHead = (head: CatalogHead['catalog'], slug: string) => ({
  slug,
  name: head.name,
  discovery: head.discovery,
  policies: head.policies ?? [],
  standards: head.standards ?? [],
});

const everything = { has: () => true };

/** One import, on the connection of its transaction. */
class Import {
  readonly #executor: Executor;
  readonly #options: ImportOptions;
  readonly #problems: ProblemList;
  readonly #difference = noDifference();
  #checkNames: (batch: Batch) => void = () => undefined;
  #revision: number | null = null;
  #slug = '';
  #catalog: CatalogRecord | undefined;
  #catalogId: string | null = null;
  #collections = new Map<string, PlacedCollection>();
  #places = new Map<string, CatalogPlace>();
  readonly #imported = new Map<string, ImportedListing>();
  readonly #namedCollections = new Set<string>();
  readonly #promotions: FileEntry<CatalogPromotion>[] = [];

  constructor(executor: Executor, options: ImportOptions, problems: ProblemList) {
    this.#executor = executor;
    this.#options = options;
    this.#problems = problems;
  }

  async run(source: CatalogSource): Promise<{ catalog: string; difference: Difference }> {
    await lockCatalog(this.#executor);
    await this.#options.blocks?.begin(this.#executor);
    for await (const batch of readCatalogFile(source, this.#problems)) await this.#read(batch);
    if (this.#isSound()) await this.#writeNightsAndPlaces();
    // Last: bookings with a promotion wait for its lock, so it is short.
    if (this.#slug !== '') await this.#writePromotions();
    if (this.#isSound()) await this.#finish();
    return { catalog: this.#slug, difference: this.#difference };
  }

  /** Once there is a problem, the rest of the file is only checked. */
  #isSound(): boolean {
    return this.#problems.count === 0;
  }

  async #raised(): Promise<number> {
    this.#revision ??= await raiseRevision(this.#executor);
    return this.#revision;
  }

  async #read(batch: Batch): Promise<void> {
    if (batch.list === 'head') {
      await this.#begin(batch);
      this.#checkNames(batch);
      if (batch.head) await this.#writeHead(batch.head, batch.report);
      return;
    }
    this.#checkNames(batch);
    if (batch.list === 'listings') await this.#readListings(batch.entries);
    if (batch.list === 'promotions') this.#promotions.push(...batch.entries);
    if (batch.list === 'blocks') await this.#readBlocks(batch.entries);
  }

  /** Reads what the installation has. */
  async #begin({ head }: Extract<Batch, { list: 'head' }>): Promise<void> {
    const slug = this.#options.slug ?? head?.slug;
    if (slug === undefined) {
      this.#checkNames = createNameCheck({ listings: everything, collections: everything });
      return;
    }
    this.#slug = slug;
    const catalogs = await readCatalogs(this.#executor);
    this.#catalog = catalogs.find((each) => each.slug === slug);
    this.#catalogId = this.#catalog?.catalogId ?? null;
    if (this.#catalogId !== null) {
      const collections = await readCollections(this.#executor, this.#catalogId);
      this.#collections = new Map(collections.map((each) => [each.slug, each]));
      const places = await readPlaces(this.#executor, this.#catalogId);
      this.#places = new Map(places.map((place) => [place.slug, place]));
    }
    this.#checkNames = createNameCheck({
      listings: this.#places,
      collections: this.#options.mode === 'merge' ? this.#soldCollections() : new Map(),
    });
  }

  #soldCollections(): Map<string, PlacedCollection> {
    return new Map([...this.#collections].filter(([, { withdrawn }]) => !withdrawn));
  }

  async #writeHead(head: CatalogHead['catalog'], report: Report): Promise<void> {
    const written = completeHead(head, this.#slug);
    const { slug, name, discovery, policies, standards } = this.#catalog ?? written;
    const stored = { slug, name, discovery, policies, standards };
    const members = this.#catalog ? changedMembers(stored, written) : [];
    const isNew = this.#catalog === undefined;
    if (isNew) addChange(this.#difference, 'catalog', 'added', this.#slug);
    else if (members.length > 0) {
      addChange(this.#difference, 'catalog', 'changed', this.#slug, members);
    }
    if (this.#isSound() && (isNew || members.length > 0)) {
      this.#catalogId = await writeCatalog(this.#executor, written, await this.#raised());
    }
    await this.#writeCollections(head.collections ?? [], report);
  }

  async #writeCollections(collections: FileCollections, report: Report): Promise<void> {
    await this.#checkCollectionIds(collections, report);
    const known = collections.map(({ slug }) => this.#collections.get(slug));
    const next = positionAfter(this.#collections.values());
    const positions = positionsOf(
      known.map((collection) => collection?.position ?? null),
      next,
    );
    const changed = collections.flatMap((collection, at) => {
      const { slug, name, description = null } = collection;
      this.#namedCollections.add(slug);
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
      if (!isSold) addChange(this.#difference, 'collections', 'added', slug);
      else if (members.length > 0) {
        addChange(this.#difference, 'collections', 'changed', slug, members);
      }
      const isMoved = isSold && before.position !== position;
      if (isMoved) this.#difference.moved += 1;
      if (isSold && !isMoved && members.length === 0) return [];
      const id = before?.collectionId ?? collectionId;
      return [{ slug, name, description, position, collectionId: id }];
    });
    if (changed.length === 0 || !this.#isSound()) return;
    await this.#raised();
    const taken = await writeCollections(this.#executor, this.#catalogId!, changed);
    for (const collection of changed) {
      const collectionId = taken.get(collection.slug)!;
      this.#collections.set(collection.slug, { ...collection, collectionId, withdrawn: false });
    }
  }

  /** Reports IDs of collections that differ from the stored ones: an ID never changes. */
  async #checkCollectionIds(collections: FileCollections, report: Report): Promise<void> {
    const ids = collections.flatMap(({ collectionId }) => collectionId?.toLowerCase() ?? []);
    const found = await findCollections(this.#executor, ids);
    const owners = new Map(found.map((owner) => [owner.collectionId, owner]));
    collections.forEach(({ slug, collectionId }, at) => {
      const id = collectionId?.toLowerCase();
      if (id === undefined) return;
      const pointer = `/catalog/collections/${at}/collectionId`;
      const existing = this.#collections.get(slug)?.collectionId ?? id;
      const owner = owners.get(id);
      const isOwn = !owner || (owner.slug === slug && owner.catalogId === this.#catalogId);
      if (existing !== id) report(pointer, `must be its existing ID: ${existing}`);
      else if (!isOwn) report(pointer, `is the ID of another collection: ${owner.slug}`);
    });
  }

  /** Reports IDs of listings that differ from the stored ones. */
  async #checkIdentities(entries: readonly FileEntry<ReadListing>[]): Promise<void> {
    const ids = entries.flatMap(({ value }) => value.listingId ?? []);
    if (ids.length === 0) return;
    const slugs = entries.map(({ value }) => value.slug);
    const known = await readIdentities(this.#executor, slugs, ids);
    const idOf = new Map(known.map(({ slug, id }) => [slug, id]));
    const slugOf = new Map(known.map(({ slug, id }) => [id, slug]));
    for (const { value, report } of entries) {
      const { slug, listingId } = value;
      if (listingId === null) continue;
      const existing = idOf.get(slug) ?? listingId;
      const owner = slugOf.get(listingId) ?? slug;
      if (existing !== listingId) report('/listingId', `must be its existing ID: ${existing}`);
      else if (owner !== slug) report('/listingId', `is the ID of ${owner}`);
    }
  }

  async #readListings(entries: readonly FileEntry<ReadListing>[]): Promise<void> {
    await this.#checkIdentities(entries);
    const slugs = entries.map(({ value }) => value.slug);
    const stored = await readHomes(this.#executor, slugs);
    const homes = new Map(stored.map(({ home }) => [home.slug, home]));
    const collectionSlugs = new Map(
      [...this.#collections.values()].map(({ slug, collectionId }) => [collectionId, slug]),
    );
    const changed = entries.flatMap(({ value: { collection, ...home } }) => {
      const before = homes.get(home.slug);
      const place = this.#places.get(home.slug);
      const listingId = before?.listingId ?? home.listingId;
      const members = before ? changedMembers(before, { ...home, listingId }) : [];
      const placed = place
        ? changedMembers(
            { collection: collectionSlugs.get(place.collectionId ?? '') ?? null },
            { collection },
          )
        : [];
      const isSold = place !== undefined && !place.withdrawn;
      const all = [...members, ...placed];
      if (!isSold) addChange(this.#difference, 'listings', 'added', home.slug, all);
      else if (all.length > 0) addChange(this.#difference, 'listings', 'changed', home.slug, all);
      return before && members.length === 0 ? [] : [{ ...home, listingId }];
    });
    if (!this.#isSound()) return;
    const written =
      changed.length > 0
        ? await writeHomes(this.#executor, changed, await this.#raised())
        : new Map<string, string>();
    for (const { value } of entries) {
      const listingId = written.get(value.slug) ?? homes.get(value.slug)!.listingId;
      this.#imported.set(value.slug, { listingId, collection: value.collection });
    }
  }

  async #readBlocks(entries: Extract<Batch, { list: 'blocks' }>['entries']): Promise<void> {
    const { blocks } = this.#options;
    if (!blocks) {
      entries[0]?.report(
        '',
        'blocks are not supported by the simulation, which invents its nights',
      );
      return;
    }
    if (!this.#isSound()) return;
    await blocks.stage(
      this.#executor,
      entries.map(({ at, line, value: { listing, from, to, reason = null } }) => ({
        at,
        line,
        listingId: this.#listingId(listing)!,
        from,
        to,
        reason,
      })),
    );
  }

  #listingId(slug: string): string | undefined {
    return this.#imported.get(slug)?.listingId ?? this.#places.get(slug)?.listingId;
  }

  /** What only the end of the file decides. */
  async #writeNightsAndPlaces(): Promise<void> {
    await this.#writePlaces();
    if (this.#options.mode === 'replace') await this.#withdrawListings();
    await this.#applyBlocks();
  }

  async #finish(): Promise<void> {
    if (this.#revision !== null) {
      await markCatalogs(this.#executor, this.#revision, [this.#catalogId!]);
    }
    await this.#audit();
  }

  async #writePlaces(): Promise<void> {
    const imported = [...this.#imported];
    const next = positionAfter(this.#places.values());
    const positions = positionsOf(
      imported.map(([slug]) => this.#places.get(slug)?.position ?? null),
      next,
    );
    const changed = imported.flatMap(([slug, { listingId, collection }], at) => {
      const before = this.#places.get(slug);
      const collectionId =
        collection === null ? null : this.#collections.get(collection)!.collectionId;
      const position = positions[at]!;
      const isMoved = before !== undefined && before.position !== position;
      if (isMoved && !before.withdrawn) this.#difference.moved += 1;
      const stays = before && !isMoved && !before.withdrawn && before.collectionId === collectionId;
      return stays ? [] : [{ listingId, collectionId, position }];
    });
    if (changed.length === 0) return;
    const revision = await this.#raised();
    for (let at = 0; at < changed.length; at += placesPerStatement) {
      const batch = changed.slice(at, at + placesPerStatement);
      await writePlaces(this.#executor, this.#catalogId!, batch, revision);
    }
  }

  /** Withdraws the listings and collections that the file does not name. */
  async #withdrawListings(): Promise<void> {
    const listings = [...this.#places.values()].filter(
      ({ slug, withdrawn }) => !withdrawn && !this.#imported.has(slug),
    );
    for (const { slug } of listings) addChange(this.#difference, 'listings', 'withdrawn', slug);
    const collections = [...this.#soldCollections().values()].filter(
      ({ slug }) => !this.#namedCollections.has(slug),
    );
    for (const { slug } of collections) {
      addChange(this.#difference, 'collections', 'withdrawn', slug);
    }
    if (listings.length > 0) {
      const ids = listings.map(({ listingId }) => listingId);
      await withdrawListings(this.#executor, this.#catalogId!, ids, await this.#raised());
    }
    if (collections.length > 0) {
      await this.#raised();
      const ids = collections.map(({ collectionId }) => collectionId);
      await withdrawCollections(this.#executor, ids);
    }
  }

  async #writePromotions(): Promise<void> {
    const { mode } = this.#options;
    if (this.#promotions.length === 0 && mode === 'merge') return;
    const written = this.#promotions.map(({ value, report }) => ({
      promotion: completePromotion(value),
      report,
    }));
    const codes = written.map(({ promotion }) => promotion.code);
    const stored = await lockPromotions(this.#executor, this.#catalogId, codes);
    const known = new Map(stored.map((row) => [row.code, row]));
    const ids = {
      listings: { get: (slug: string) => this.#listingId(slug) },
      collections: { get: (slug: string) => this.#collections.get(slug)?.collectionId },
    };
    const slugs = {
      listings: this.#slugsById(),
      collections: new Map(
        [...this.#collections].map(([slug, { collectionId }]) => [collectionId, slug]),
      ),
    };
    for (const { promotion, report } of written) {
      const row = known.get(promotion.code);
      if (row && row.catalogId !== this.#catalogId) {
        report('/code', `is a code of the catalog ${row.catalog}`);
        continue;
      }
      if (row && promotion.maxUses !== null && promotion.maxUses < row.uses) {
        report('/maxUses', `must not be less than the uses so far: ${row.uses}`);
        continue;
      }
      const members = row ? changedMembers(promotionInFile(row, slugs), promotion) : [];
      const isSold = row && !row.withdrawn;
      if (isSold && members.length === 0) continue;
      const change = isSold ? 'changed' : 'added';
      addChange(this.#difference, 'promotions', change, promotion.code, members);
      if (!this.#isSound()) continue;
      await writePromotion(this.#executor, promotionRow(promotion, this.#catalogId!, ids));
    }
    if (mode === 'merge' || !this.#isSound()) return;
    const named = new Set(codes);
    const others = stored.filter(({ code, withdrawn }) => !withdrawn && !named.has(code));
    for (const { code } of others) addChange(this.#difference, 'promotions', 'withdrawn', code);
    const ended = others.map(({ code }) => code);
    if (ended.length > 0) await withdrawPromotions(this.#executor, ended);
  }

  async #applyBlocks(): Promise<void> {
    const { blocks, mode } = this.#options;
    if (!blocks || !this.#isSound()) return;
    const replaceIn = mode === 'replace' ? this.#catalogId : null;
    const changes = await blocks.apply(this.#executor, replaceIn, describedEntries);
    const { added, changed, removed, collisions } = changes;
    for (const { at, line, message } of collisions.first) {
      this.#problems.add({ pointer: `/blocks/${at}`, message }, () => line);
    }
    this.#problems.addUnnamed(collisions.count - collisions.first.length);
    const slugs = this.#slugsById();
    const nameOf = ({ listingId, from, to }: ImportedBlock) =>
      `${slugs.get(listingId) ?? listingId} ${from} to ${to}`;
    this.#difference.blocks = {
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

  #slugsById(): Map<string, string> {
    const known = [...this.#places, ...this.#imported];
    return new Map(known.map(([slug, { listingId }]) => [listingId, slug]));
  }

  async #audit(): Promise<void> {
    const { actor, mode } = this.#options;
    if (actor === null || !changesAnything(this.#difference)) return;
    const { moved, ...kinds } = this.#difference;
    const counts = Object.fromEntries(
      Object.entries(kinds).map(([kind, { entries: _, ...numbers }]) => [kind, numbers]),
    );
    const details = { catalog: this.#slug, mode, changes: { ...counts, moved } };
    await insertAuditEntry(this.#executor, {
      actor,
      action: 'catalog.import',
      applicationId: null,
      details,
    });
  }
}

const placesPerStatement = 5_000;

/**
 * Writes a catalog file in one transaction. A file with problems changes nothing, and so does a dry run.
 *
 * Spec: the catalog file, Import.
 */
export function importCatalog(
  database: Database,
  source: CatalogSource,
  options: ImportOptions,
): Promise<ImportResult> {
  return longTransaction<ImportResult>(database, 'read write', async (executor) => {
    const problems = createProblemList();
    const changes = await new Import(executor, options, problems).run(source);
    if (problems.count > 0) return { commit: false, result: { problems: problems.all() } };
    return { commit: !options.dryRun, result: changes };
  });
}
