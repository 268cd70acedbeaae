/** A program that keeps a copy of the homes and calendars of an application, as a partner would. */
import type { ReplyOf } from '../../src/contract/partner/operations.ts';

type Calendar = ReplyOf<'inventory.calendar.list'>['body']['items'][number];
type ChangePage = ReplyOf<'inventory.change.list'>['body'];

/** A page of homes, with its header `x-as-of`. */
export interface HomesPage {
  items: { listingId: string }[];
  nextCursor: string | null;
  asOf: number;
}

/** The calls of a mirror. Each throws if it does not succeed. */
export interface MirrorCalls {
  changes(query: { cursor?: string; from?: 'latest'; limit?: number }): Promise<ChangePage>;
  homes(cursor: string | null): Promise<HomesPage>;
  /** Null: there is none. */
  home(listingId: string): Promise<{ home: { listingId: string }; asOf: number } | null>;
  calendars(body: {
    listingIds: string[];
    startDate: string;
    endDate: string;
  }): Promise<{ items: Calendar[]; missing: string[]; asOf: number }>;
}

/** What is copied of a home. */
export interface CopiedHome {
  /** The listing, as JSON. */
  home: string;
  /** The digests of its calendars, by range. */
  digests: string[];
}

const homesAtOnce = 25;

/** What makes a mirror read the home again. */
const homeKinds = ['added', 'content', 'removed'] as const;

type Change = ChangePage['items'][number];

/** A response that does not include what the feed has told before it. */
class StaleError extends Error {}

/** Both dates included. */
export type DateRange = readonly [startDate: string, endDate: string];

/** A copy that follows the feed of changes. Spec: COPY-4. */
export class Mirror {
  readonly #calls: MirrorCalls;
  readonly #ranges: readonly DateRange[];
  readonly copy: Map<string, CopiedHome>;
  #cursor: string;
  /** The latest `changedAt` that the feed has told. */
  #toldUntil = 0;
  /** How many entries the feed has told. */
  entries = 0;

  /** `kept` is what a program that was killed has stored: a copy can be newer than its cursor. */
  constructor(
    calls: MirrorCalls,
    ranges: readonly DateRange[],
    kept: { copy: Map<string, CopiedHome>; cursor: string } = { copy: new Map(), cursor: '' },
  ) {
    this.#calls = calls;
    this.#ranges = ranges;
    this.copy = kept.copy;
    this.#cursor = kept.cursor;
  }

  get cursor(): string {
    return this.#cursor;
  }

  /** Copies everything. */
  async start(): Promise<void> {
    this.#cursor = (await this.#calls.changes({ from: 'latest' })).nextCursor;
    await this.#copyAll();
  }

  /** Follows the feed until it has no more, and reads again what it names. */
  async follow(): Promise<void> {
    for (;;) {
      const page = await this.#calls.changes({ cursor: this.#cursor, limit: 500 });
      await this.#apply(page.items);
      this.#cursor = page.nextCursor;
      if (!page.hasMore) return;
    }
  }

  #checkAge(asOf: number): void {
    if (asOf < this.#toldUntil) {
      throw new StaleError(`as of ${asOf}, but the feed has told ${this.#toldUntil}`);
    }
  }

  async #apply(items: ChangePage['items']): Promise<void> {
    if (items.length === 0) return;
    this.entries += items.length;
    this.#toldUntil = Math.max(
      this.#toldUntil,
      ...items.map(({ changedAt }) => Date.parse(changedAt)),
    );
    if (items.some(({ listingId }) => listingId === null)) return this.#copyAll();
    const kindsOf = Map.groupBy(items, ({ listingId }) => listingId!);
    for (const [id, changes] of kindsOf) {
      const kinds = new Set<string>(changes.map(({ kind }) => kind));
      if (kinds.has('removed')) this.copy.delete(id);
      if (homeKinds.some((kind) => kinds.has(kind))) await this.#copyHome(id);
    }
    for (const index of this.#ranges.keys()) {
      const again = [...kindsOf].filter(
        ([id, changes]) =>
          this.copy.has(id) && changes.some((change) => this.#concerns(change, index)),
      );
      await this.#copyCalendars(
        again.map(([id]) => id),
        [index],
      );
    }
  }

  /** Whether a change can have changed the calendar of a range. */
  #concerns({ kind, from, to }: Change, index: number): boolean {
    if (kind === 'content') return false;
    const [startDate, endDate] = this.#ranges[index]!;
    return from === null || to === null || (from <= endDate && to > startDate);
  }

  async #copyHome(listingId: string): Promise<void> {
    const found = await this.#calls.home(listingId);
    if (found === null) this.copy.delete(listingId);
    else this.#keepHome(found.home, found.asOf);
  }

  #keepHome(home: { listingId: string }, asOf: number): void {
    this.#checkAge(asOf);
    const digests = this.copy.get(home.listingId)?.digests ?? [];
    this.copy.set(home.listingId, { home: JSON.stringify(home), digests });
  }

  async #copyAll(): Promise<void> {
    const known = new Set<string>();
    for (let cursor: string | null = null; ;) {
      const page: HomesPage = await this.#calls.homes(cursor);
      for (const home of page.items) {
        known.add(home.listingId);
        this.#keepHome(home, page.asOf);
      }
      cursor = page.nextCursor;
      if (cursor === null) break;
    }
    for (const id of this.copy.keys()) if (!known.has(id)) this.copy.delete(id);
    await this.#copyCalendars([...known]);
  }

  async #copyCalendars(
    ids: readonly string[],
    places: readonly number[] = [...this.#ranges.keys()],
  ): Promise<void> {
    for (let at = 0; at < ids.length; at += homesAtOnce) {
      const listingIds = ids.slice(at, at + homesAtOnce);
      for (const index of places) {
        const [startDate, endDate] = this.#ranges[index]!;
        const { items, missing, asOf } = await this.#calls.calendars({
          listingIds,
          startDate,
          endDate,
        });
        this.#checkAge(asOf);
        for (const { listingId, digest } of items) {
          // One that was withdrawn before an earlier range, and offered again since, is told as added.
          const copied = this.copy.get(listingId);
          if (copied) copied.digests[index] = digest;
        }
        for (const id of missing) this.copy.delete(id);
      }
    }
  }
}
