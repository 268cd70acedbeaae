/** What the operator does to the homes of a session, by the functions of the command line. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { CatalogFile } from '../../src/contract/catalog-file.ts';
import { addBlocks, listBlocks, removeBlock } from '../../src/inventory/index.ts';
import { importFile } from '../harness/import-file.ts';
import type { CallReply } from '../harness/partner.ts';
import { sql } from '../harness/rows.ts';
import type { TestService } from '../harness/service.ts';
import { Difference } from './difference.ts';
import {
  catalogNames,
  dateAt,
  dayAt,
  homeNames,
  isFree,
  listingInFile,
  newInventory,
  promotedCatalog,
  take,
  type CatalogName,
  type HomeContent,
  type HomeName,
  type Inventory,
  type Taken,
} from './homes.ts';
import type { ActKind } from './kind.ts';
import { refused, shown } from './reply-summary.ts';
import { limitedCode, plainCode, type AccountName, type World } from './world.ts';

interface ByOperator {
  /** No application; calls have one. */
  by: AccountName;
}

/** Imports a file with these homes: as the whole catalog, or merged into it. */
export interface ImportCall extends ByOperator {
  does: 'import';
  catalog: CatalogName;
  homes: { home: HomeName; content: HomeContent }[];
  mode: 'merge' | 'replace';
}

/** Adds a block, or removes the block of these nights. */
export interface BlockCall extends ByOperator, Omit<Taken, 'by'> {
  does: 'block' | 'unblock';
}

const replyWith = (status: number, body: object): CallReply => ({
  status,
  headers: new Headers(),
  body,
  text: '',
});
const refusedWith = (code: string): CallReply => replyWith(409, { error: { code } });

/** The homes of one session, in the database of the service. */
export class Operator {
  readonly #service: TestService;
  readonly #session: string;
  readonly #limitedUses: number;
  readonly #listingIds = new Map<HomeName, string>();
  readonly #catalogIds = new Map<CatalogName, string>();

  constructor(service: TestService, session: string, limitedUses: number) {
    this.#service = service;
    this.#session = session;
    this.#limitedUses = limitedUses;
  }

  /** Imports the homes as they are at the start of a session. */
  static async open(service: TestService, session: string, limitedUses: number): Promise<Operator> {
    const operator = new Operator(service, session, limitedUses);
    const { sold, content } = newInventory();
    for (const catalog of catalogNames) {
      const homes = sold[catalog].map((home) => ({ home, content: content[home] }));
      await operator.import({ catalog, homes, mode: 'merge' });
    }
    const listings = await sql<{ slug: string; listing_id: string }>(
      service.database,
      'SELECT slug, listing_id FROM listings WHERE slug = ANY ($1)',
      [homeNames.map((home) => operator.#slug(home))],
    );
    const catalogs = await sql<{ slug: string; catalog_id: string }>(
      service.database,
      'SELECT slug, catalog_id FROM catalogs WHERE slug = ANY ($1)',
      [catalogNames.map((catalog) => operator.#slug(catalog))],
    );
    const wordOf = (slug: string): string => slug.split('-')[0]!;
    for (const row of listings) {
      operator.#listingIds.set(wordOf(row.slug) as HomeName, row.listing_id);
    }
    for (const row of catalogs) {
      operator.#catalogIds.set(wordOf(row.slug) as CatalogName, row.catalog_id);
    }
    return operator;
  }

  #slug(name: HomeName | CatalogName): string {
    return `${name}-${this.#session}`;
  }

  listingId(home: HomeName): string {
    return this.#listingIds.get(home)!;
  }

  homeOf(listingId: string): HomeName | undefined {
    return homeNames.find((home) => this.listingId(home) === listingId);
  }

  catalogId(catalog: CatalogName): string {
    return this.#catalogIds.get(catalog)!;
  }

  /** The codes of the promotions, by their names in the model. A code is unique in the installation. */
  codes(): Record<string, string> {
    const codes = [plainCode, limitedCode].map((code) => [
      code,
      `${code}-${this.#session.toUpperCase()}`,
    ]);
    return Object.fromEntries(codes) as Record<string, string>;
  }

  #promotions(catalog: CatalogName): NonNullable<CatalogFile['promotions']> {
    if (catalog !== promotedCatalog) return [];
    const { [plainCode]: plain, [limitedCode]: limited } = this.codes();
    const tenOff = { label: 'Ten off', percent: 10 };
    return [
      { code: plain!, ...tenOff },
      { code: limited!, ...tenOff, maxUses: this.#limitedUses },
    ];
  }

  async import({ catalog, homes, mode }: Omit<ImportCall, 'does' | 'by'>): Promise<CallReply> {
    const file: CatalogFile = {
      format: 'latchkey-catalog/1',
      catalog: { slug: this.#slug(catalog), name: `The ${catalog}`, discovery: 'brand' },
      listings: homes.map(({ home, content }) => listingInFile(home, content, this.#slug(home))),
      promotions: this.#promotions(catalog),
    };
    const result = await importFile(this.#service.database, file, { mode });
    if ('problems' in result) throw new Error(JSON.stringify(result.problems));
    await this.#service.catalog.follow();
    return replyWith(200, {});
  }

  async block({ home, from, nights }: BlockCall): Promise<CallReply> {
    const dates = { from: dateAt(from), to: dateAt(from + nights) };
    const block = { listingId: this.listingId(home), ...dates, reason: null };
    const added = await this.#service.database.transaction((executor) =>
      addBlocks(executor, [{ ...block, source: 'staff' }]),
    );
    if (added.outcome === 'taken') return refusedWith('taken');
    return replyWith(200, { change: added.blocks[0]!.change });
  }

  async unblock({ home, from, nights }: BlockCall): Promise<CallReply> {
    const { database } = this.#service;
    const listingIds = [this.listingId(home)];
    const blocks = await listBlocks(database, { listingIds, atMost: 100 });
    const block = blocks.find(
      (one) => one.from === dateAt(from) && one.to === dateAt(from + nights),
    );
    const removed = block && (await removeBlock(database, block.blockId));
    return removed ? replyWith(200, {}) : refusedWith('not_found');
  }

  /** All nights that are taken in the database, as the model names them. */
  async taken(nameOf: (by: string, bookingId: string) => string): Promise<Taken[]> {
    const rows = await sql<{
      kind: string;
      listing_id: string;
      first: string;
      after_last: string;
      application_id: string | null;
      booking_id: string | null;
    }>(
      this.#service.database,
      `SELECT kind, listing_id, lower(nights) AS first, upper(nights) AS after_last, application_id,
        booking_id FROM occupancies WHERE listing_id = ANY ($1)`,
      [homeNames.map((home) => this.listingId(home))],
    );
    const found = { taken: [] } as unknown as Inventory;
    for (const row of rows) {
      const nights = {
        home: this.homeOf(row.listing_id)!,
        from: dayAt(row.first),
        nights: dayAt(row.after_last) - dayAt(row.first),
      };
      // Nights are `held` only while a worker works; then no session looks.
      const by = row.kind === 'confirmed' ? nameOf(row.application_id!, row.booking_id!) : row.kind;
      if (!isFree(found, nights)) throw new Difference(`two stays share a night of ${nights.home}`);
      take(found, { ...nights, by: by as Taken['by'] });
    }
    return found.taken;
  }
}

/** Waits for a new day, if one is about to begin: no session may run across midnight in UTC. */
export async function stayWithinToday(): Promise<void> {
  const dayMs = 86_400_000;
  const leftMs = dayMs - (Date.now() % dayMs);
  if (leftMs < 60_000) await sleep(leftMs);
}

const inventoryOf = ({ inventory }: World): Inventory => inventory!;

const shows = (_: unknown, __: unknown, { body }: CallReply): unknown => body;

const importKind: ActKind<ImportCall> = {
  tier: 'read',
  predict(world, { catalog, homes, mode }) {
    const inventory = inventoryOf(world);
    const named = homes.map(({ home }) => home);
    for (const { home, content } of homes) inventory.content[home] = content;
    const order = inventory.order[catalog];
    const known = [...order, ...named.filter((home) => !order.includes(home))];
    inventory.order[catalog] = known;
    const kept = mode === 'merge' ? inventory.sold[catalog] : [];
    inventory.sold[catalog] = known.filter((home) => named.includes(home) || kept.includes(home));
    return shown(200, {});
  },
  act: ({ operator }, call) => operator.import(call),
  shows,
};

const isBlock =
  ({ home, from, nights }: BlockCall) =>
  (one: Taken): boolean =>
    one.by === 'block' && one.home === home && one.from === from && one.nights === nights;

const blockKind: ActKind<BlockCall> = {
  tier: 'read',
  predict(world, call) {
    const inventory = inventoryOf(world);
    if (inventory.taken.some(isBlock(call))) return shown(200, { change: 'unchanged' });
    if (!isFree(inventory, call)) return refused('409 taken');
    take(inventory, { ...call, by: 'block' });
    return shown(200, { change: 'added' });
  },
  act: ({ operator }, call) => operator.block(call),
  shows,
};

const unblockKind: ActKind<BlockCall> = {
  tier: 'read',
  predict(world, call) {
    const inventory = inventoryOf(world);
    const block = inventory.taken.find(isBlock(call));
    if (!block) return refused('409 not_found');
    inventory.taken = inventory.taken.filter((one) => one !== block);
    return shown(200, {});
  },
  act: ({ operator }, call) => operator.unblock(call),
  shows,
};

export const operatorKinds = { import: importKind, block: blockKind, unblock: unblockKind };
