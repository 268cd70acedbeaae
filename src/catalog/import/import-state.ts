/** What the parts of one import share. */

import type { Executor } from '../../platform/postgres/database.ts';
import { inSlices } from '../../platform/slices.ts';
import type { ProblemList } from '../file/problems.ts';
import type {
  CatalogHead,
  StoredCatalog,
  PlacedCollection,
  WrittenCollection,
} from '../store/catalogs.ts';
import type { CatalogPlace } from '../store/places.ts';
import { raiseRevision } from '../store/revision.ts';
import { nothingUnusual } from '../unusual-prices.ts';
import type { BlockImport } from './block-import.ts';
import type { Comparison } from './compare-then-write.ts';
import { noDifference } from './difference.ts';

/** `merge`: what the file does not name stays. `replace`: it is withdrawn from sale. */
type ImportMode = 'merge' | 'replace';

/** How a file is imported. Spec: FILE-5. */
export interface ImportOptions {
  mode: ImportMode;
  /** Finds out what would change, and changes nothing. */
  dryRun: boolean;
  /** The catalog that is written; absent: the one that the file names. */
  slug?: string | undefined;
  /** The actor of the audit entry; null: the service itself, without an entry. */
  actor: string | null;
  /** Null: availability is artificial, so blocks are refused. */
  blocks: BlockImport | null;
}

/** How many listings are looked through before other calls are served. */
export const comparedAtOnce = 5_000;

/** Adds a problem at a place of an entry. */
export type Report = (pointer: string, message: string) => void;

/** A listing of the file after its batch. */
interface ImportedListing {
  listingId: string;
  /** The slug of its collection. */
  collection: string | null;
}

/** What is written when an import takes effect. */
interface Prepared {
  /** Null: the catalog says of itself what it said before. */
  head: CatalogHead | null;
  collections: WrittenCollection[];
  /** How many homes are staged. */
  homes: number;
  /** New places of listings; the collection by its slug, because it may be new. */
  places: { listingId: string; collection: string | null; position: number }[];
  withdrawn: { listings: string[]; collections: string[] };
}

/** One import, on the connection of its transaction. */
export class ImportState {
  readonly executor: Executor;
  readonly comparison: Comparison;
  readonly options: ImportOptions;
  readonly problems: ProblemList;
  readonly difference = noDifference();
  slug = '';
  catalog: StoredCatalog | undefined;
  catalogId: string | null = null;
  /** By slug. */
  collections = new Map<string, PlacedCollection>();
  /** By slug. */
  places = new Map<string, CatalogPlace>();
  readonly imported = new Map<string, ImportedListing>();
  readonly namedCollections = new Set<string>();
  /** The homes that refund nothing after a cancellation. */
  readonly withoutCancellation: string[] = [];
  /** Those of them that have a text of their own, which may say something else. */
  readonly onlyWithText: string[] = [];
  /** Whether the catalog has a text about cancellations of its own. */
  hasOwnText = false;
  readonly unusual = nothingUnusual();
  readonly prepared: Prepared = {
    head: null,
    collections: [],
    homes: 0,
    places: [],
    withdrawn: { listings: [], collections: [] },
  };
  #revision: number | null = null;

  constructor(
    executor: Executor,
    comparison: Comparison,
    options: ImportOptions,
    problems: ProblemList,
  ) {
    this.executor = executor;
    this.comparison = comparison;
    this.options = options;
    this.problems = problems;
  }

  /** Once there is a problem, the rest of the file is only checked. */
  isSound(): boolean {
    return this.problems.count === 0;
  }

  /** The revision of this import; null: nothing has changed yet. */
  get revision(): number | null {
    return this.#revision;
  }

  /** Raises the revision before the first change. */
  async raised(): Promise<number> {
    this.#revision ??= await raiseRevision(this.executor);
    return this.#revision;
  }

  soldCollections(): Map<string, PlacedCollection> {
    return new Map([...this.collections].filter(([, { withdrawn }]) => !withdrawn));
  }

  /** The ID of a listing of the file or the catalog. Undefined: it is not stored. */
  listingId(slug: string): string | undefined {
    return this.imported.get(slug)?.listingId ?? this.places.get(slug)?.listingId;
  }

  /** The slugs of some of the listings of the file and the catalog, by ID. */
  async slugsOf(ids: ReadonlySet<string>): Promise<Map<string, string>> {
    const slugs = new Map<string, string>();
    if (ids.size === 0) return slugs;
    for (const known of [this.places, this.imported]) {
      for await (const slice of inSlices<[string, { listingId: string }]>(known, comparedAtOnce)) {
        for (const [slug, { listingId }] of slice) {
          if (ids.has(listingId)) slugs.set(listingId, slug);
        }
      }
    }
    return slugs;
  }
}
