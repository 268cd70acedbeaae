import { limits } from '../contract/limits.ts';
import type { EpochMs } from '../contract/time.ts';
import type { Executor } from '../platform/postgres/database.ts';
import type { Reads } from '../platform/postgres/replica.ts';
import { remainingMs, withoutDeadline } from '../platform/postgres/deadline.ts';
import { late, withinTime } from '../platform/sleeper.ts';
import { readPublished } from './read-published.ts';
import { readCancellationTexts, readCatalogs, type StoredCatalog } from './store/catalogs.ts';
import { readChangedHomes, type StoredHome } from './store/listings.ts';
import { readRevision } from './store/revision.ts';
import {
  changedListings,
  changeFound,
  makeView,
  publish,
  withCatalogText,
  type CatalogView,
  type Installation,
  type KnownView,
  type ListingChanges,
  type PublishedListing,
} from './view.ts';

/** Prepares the homes of a catalog, in their order. If it fails, the change is read again later. */
export type Prepare = (listings: readonly PublishedListing[]) => Promise<void>;

/** The catalogs in memory, kept in sync with the database. */
export interface Catalog {
  has(catalogId: string): boolean;
  /** The catalog of an application. Throws if this process does not know it: see `has`. */
  of(catalogId: string): CatalogView;
  /** All catalogs. */
  views(): Iterable<CatalogView>;
  /**
   * The listing of a home as it was at a committed revision, or later; undefined: the catalog does not sell the
   * home. Never waits until all changes of an import are followed.
   */
  listingAt(
    revision: number,
    catalogId: string,
    listingId: string,
  ): Promise<PublishedListing | undefined>;
  /**
   * From now on nothing in memory is used, until it has been compared with the database: it may have been replaced
   * by another one.
   */
  drop(): void;
  /** The server and database that memory is of; null: nothing is in memory. */
  server(): string | null;
  /**
   * Reads what has changed in the database, for a call: at most for the time of a live read. False: it takes longer,
   * as it does when very many homes have changed, and goes on.
   */
  followSoon(): Promise<boolean>;
  /** From now on, lists of homes are prepared before calls see them. */
  prepareWith(prepare: Prepare): void;
  /** The revision up to which this process knows all changes. */
  revision(): number;
  /** The database's time up to which this process knows all changes. */
  knownUntil(): EpochMs;
}

/** The catalogs of a process that follows them in the background. */
export interface FollowedCatalog extends Catalog {
  /** Reads what has changed in the database, however long it takes. */
  follow(): Promise<void>;
}

/** Changed listings by catalog. */
type Changes = Map<string, Map<string, PublishedListing | null>>;

/** The cancellation policies of catalogs by ID. */
type Texts = ReadonlyMap<string, StoredCatalog['cancellationText']>;

const noChanges: ListingChanges = new Map();

/** Runs the reads of a load: they see everything that was committed before. */
type Load = <T>(work: (from: Executor) => Promise<T>) => Promise<T>;

/** Follows the catalogs. Only changed homes are read again. */
class CatalogFollower implements FollowedCatalog {
  readonly #executor: Executor;
  readonly #load: Load;
  readonly #installation: Installation;
  #views = new Map<string, KnownView>();
  #revision = 0;
  /** When the revision was made: another database may have another one with the same number. */
  #changedAt: string | null = null;
  #server: string | null = null;
  /** Rises when the database may have been replaced. */
  #generation = 0;
  /** The generation in which memory and database were the same. */
  #comparedIn = -1;
  #knownUntil: EpochMs = 0;
  #reading: Promise<void> | null = null;
  #prepare: Prepare = async () => undefined;

  constructor(executor: Executor, installation: Installation, load: Load) {
    this.#executor = executor;
    this.#load = load;
    this.#installation = installation;
  }

  prepareWith(prepare: Prepare): void {
    this.#prepare = prepare;
  }

  has(catalogId: string): boolean {
    return this.#isCompared() && this.#views.has(catalogId);
  }

  #isCompared(): boolean {
    return this.#comparedIn === this.#generation;
  }

  server(): string | null {
    return this.#server;
  }

  drop(): void {
    this.#generation += 1;
  }

  of(catalogId: string): CatalogView {
    const view = this.#views.get(catalogId);
    if (!view) throw new Error(`the catalog ${catalogId} is not known yet`);
    return view;
  }

  views(): Iterable<CatalogView> {
    return this.#views.values();
  }

  async listingAt(
    revision: number,
    catalogId: string,
    listingId: string,
  ): Promise<PublishedListing | undefined> {
    if (this.#isCompared() && revision <= this.#revision) return this.of(catalogId).find(listingId);
    return readPublished(this.#executor, this.#installation, catalogId, listingId);
  }

  revision(): number {
    return this.#revision;
  }

  knownUntil(): EpochMs {
    return this.#knownUntil;
  }

  async follow(): Promise<void> {
    // The read in progress may have started before the change.
    await this.#reading?.catch(() => undefined);
    // Several callers share this read, so it must not have the deadline of one of them.
    this.#reading ??= withoutDeadline(() => this.#read()).finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async followSoon(): Promise<boolean> {
    const mostMs = Math.max(0, Math.min(limits.liveReadSeconds * 1_000, remainingMs()));
    return (await withinTime(mostMs, this.follow(), () => undefined)) !== late;
  }

  async #read(): Promise<void> {
    const generation = this.#generation;
    const { revision, changedAt, server, now } = await readRevision(this.#executor);
    const isSame = revision === this.#revision && changedAt === this.#changedAt;
    if (!isSame) await this.#readChanges(revision, generation === this.#comparedIn);
    this.#changedAt = changedAt;
    this.#server = server;
    this.#comparedIn = generation;
    // Not the later of both: a clock that was wrong may have been set back.
    this.#knownUntil = now;
  }

  async #readChanges(revision: number, isCompared: boolean): Promise<void> {
    // After a restore or failover the database may be behind, or have other changes: everything is read again.
    const isLater = isCompared && revision > this.#revision;
    const since = isLater ? this.#revision : 0;
    const known = since === 0 ? new Map<string, KnownView>() : this.#views;
    const {
      changes: found,
      storedCatalogs,
      texts,
    } = since === 0
      ? await this.#load((from) => this.#readSince(from, 0, known))
      : await this.#readSince(this.#executor, since, known);
    const views: KnownView[] = [];
    const changes: Map<string, ListingChanges> = new Map();
    for (const storedCatalog of storedCatalogs) {
      const ofCatalog = await withCatalogText(
        storedCatalog,
        known.get(storedCatalog.catalogId),
        texts,
        found.get(storedCatalog.catalogId) ?? noChanges,
        this.#installation.baseUrl,
      );
      changes.set(storedCatalog.catalogId, ofCatalog);
      views.push(await this.#viewOf(storedCatalog, known, ofCatalog));
    }
    for (const { listings } of views) await this.#prepare(listings);
    // From here on nothing fails, so views and what they find by ID stay consistent.
    for (const view of views) await changeFound(view, changes.get(view.catalogId) ?? noChanges);
    this.#views = new Map(views.map((view) => [view.catalogId, view]));
    this.#revision = revision;
  }

  async #readSince(
    from: Executor,
    since: number,
    known: ReadonlyMap<string, CatalogView>,
  ): Promise<{ changes: Changes; storedCatalogs: StoredCatalog[]; texts: Texts }> {
    const changes: Changes = new Map();
    const texts = await readCancellationTexts(from);
    for await (const homes of readChangedHomes(from, since)) {
      for (const home of homes) this.#collect(home, known, texts, changes);
    }
    // After the homes, so that the collections of all of them are in it.
    return { changes, storedCatalogs: await readCatalogs(from), texts };
  }

  /** Adds a changed home to the changes of the catalogs that sell it or have sold it. */
  #collect(
    stored: StoredHome,
    known: ReadonlyMap<string, CatalogView>,
    texts: Texts,
    changes: Changes,
  ): void {
    const { listingId } = stored.home;
    const { baseUrl } = this.#installation;
    const change = (catalogId: string, listing: PublishedListing | null): void => {
      const ofCatalog = changes.get(catalogId) ?? new Map<string, PublishedListing | null>();
      changes.set(catalogId, ofCatalog.set(listingId, listing));
    };
    for (const view of known.values()) {
      if (view.find(listingId)) change(view.catalogId, null);
    }
    for (const place of stored.places) {
      change(place.catalogId, publish(stored, place, baseUrl, texts.get(place.catalogId)));
    }
  }

  async #viewOf(
    storedCatalog: StoredCatalog,
    views: ReadonlyMap<string, KnownView>,
    changes: ListingChanges,
  ): Promise<KnownView> {
    const known = views.get(storedCatalog.catalogId);
    if (known && changes.size === 0 && known.revision === storedCatalog.revision) return known;
    const listings = await changedListings(known, changes);
    return makeView(storedCatalog, known, listings, this.#installation);
  }
}

/**
 * Reads the catalogs and builds their responses. Concurrent calls of `follow` share one read. `reads`: where
 * all homes are loaded from; changes are always read from `executor`.
 */
export async function openCatalog(
  executor: Executor,
  installation: Installation,
  reads?: Pick<Reads, 'run'>,
): Promise<FollowedCatalog> {
  const load: Load = reads ? (work) => reads.run(work) : (work) => work(executor);
  const catalog = new CatalogFollower(executor, installation, load);
  await catalog.follow();
  return catalog;
}
