/** What the operator does to the homes of a session, by the functions of the command line. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { CatalogFile } from '../../src/contract/catalog-file.ts';
import type { StaffContext } from '../../src/bookings/index.ts';
import { acceptRequest, declineRequest } from '../../src/bookings/staff/change-requests.ts';
import { isRefusal } from '../../src/contract/errors.ts';
import type { PriceChoice } from '../../src/bookings/rules/change-reservation.ts';
import type { Database } from '../../src/platform/postgres/database.ts';
import { staffContext } from '../../src/program/staff-context.ts';
import { importFile } from '../harness/import-file.ts';
import type { CallReply } from '../harness/partner.ts';
import { sql } from '../harness/rows.ts';
import { actor } from '../harness/staff.ts';
import type { TestService } from '../harness/service.ts';
import { Difference } from './difference.ts';
import {
  catalogNames,
  dateAt,
  datesOf,
  dayAt,
  homeNames,
  isFree,
  isSold,
  listingInFile,
  newInventory,
  promotedCatalog,
  serveOutside,
  stayWords,
  take,
  type CatalogName,
  type HomeContent,
  type HomeName,
  type Inventory,
  type Nights,
  type Taken,
} from './homes.ts';
import type { ActKind } from './kind.ts';
import { OutsideSystem } from './outside.ts';
import { refused, shown } from './reply-summary.ts';
import { bookingOf, nobodys } from './bookings.ts';
import { cancelStay, changedCharges, changeStay, stayAfter } from './changed-stays.ts';
import { decideChange } from './changes.ts';
import { declineOpenChange } from './reservations.ts';
import {
  limitedCode,
  plainCode,
  type Account,
  type AccountName,
  type BookingName,
  type Change,
  type ChangeName,
  type Checkout,
  type Request,
  type Reservation,
  type StayName,
  type World,
} from './world.ts';
import {
  RefusedAct,
  blockNights,
  cancelReservation,
  changeReservation,
  listBlocksOf,
  unblockNights,
} from '../harness/acts.ts';

interface ByOperator {
  /** The application whose booking it is; otherwise any, because every call has one. */
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
export interface BlockCall extends ByOperator, Nights {
  does: 'block' | 'unblock';
}

/** Another channel sells nights that are free, or ends such an event. */
export interface ChannelCall extends ByOperator, Nights {
  does: 'channelSells' | 'channelFrees';
}

/** Cancels or changes the reservation of a booking, as staff. */
export type StaffCall = ByOperator & {
  booking: BookingName;
  /** Whether its reference is known. */
  isKnown: boolean;
} & ({ does: 'cancelStay' } | { does: 'changeStay'; stay: StayName; price: PriceChoice });

/** Decides a request of a partner, as staff. */
export interface DecideChangeCall extends ByOperator {
  does: 'decideChange';
  change: ChangeName;
  accepts: boolean;
}

const replyWith = (status: number, body: object): CallReply => ({
  status,
  headers: new Headers(),
  body,
  text: '',
});
const isRefused = replyWith(409, { error: { code: 'refused' } });
const refusal = refused('409 refused');
const isDone = shown(200, null);

async function replyOf(act: Promise<unknown>): Promise<CallReply> {
  try {
    await act;
    return replyWith(200, {});
  } catch (error) {
    if (error instanceof RefusedAct) return isRefused;
    throw error;
  }
}

/** The homes of one session, in the database of the service. */
export class Operator {
  readonly #service: TestService;
  readonly #database: Database;
  readonly #staff: StaffContext;
  readonly #session: string;
  readonly #limitedUses: number;
  /** Another system that sells the homes. */
  readonly outside: OutsideSystem;
  readonly #listingIds = new Map<HomeName, string>();
  readonly #catalogIds = new Map<CatalogName, string>();

  constructor(service: TestService, database: Database, session: string, limitedUses: number) {
    this.#service = service;
    this.#database = database;
    this.#staff = staffContext(database, 'test', () => undefined);
    this.#session = session;
    this.#limitedUses = limitedUses;
    this.outside = new OutsideSystem(database, session, {
      homeOf: (listingId) => this.homeOf(listingId),
      slugOf: (home) => this.#slug(home),
    });
  }

  /** Imports the homes as they are at the start of a session. */
  static async open(
    service: TestService,
    database: Database,
    session: string,
    limitedUses: number,
  ): Promise<Operator> {
    const operator = new Operator(service, database, session, limitedUses);
    const { sold, content } = newInventory();
    for (const catalog of catalogNames) {
      const homes = sold[catalog].map((home) => ({ home, content: content[home] }));
      await operator.import({ catalog, homes, mode: 'merge' });
    }
    const listings = await sql<{ slug: string; listing_id: string }>(
      database,
      'SELECT slug, listing_id FROM listings WHERE slug = ANY ($1)',
      [homeNames.map((home) => operator.#slug(home))],
    );
    const catalogs = await sql<{ slug: string; catalog_id: string }>(
      database,
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
    const result = await importFile(this.#database, file, { mode });
    if ('problems' in result) throw new Error(JSON.stringify(result.problems));
    await this.#service.follow();
    return replyWith(200, {});
  }

  block({ home, from, nights }: BlockCall): Promise<CallReply> {
    const dates = { from: dateAt(from), to: dateAt(from + nights) };
    const block = { listing: this.#slug(home), ...dates, reason: null };
    return replyOf(blockNights(this.#database, actor, block));
  }

  async unblock({ home, from, nights }: BlockCall): Promise<CallReply> {
    const database = this.#database;
    const filter = { listing: this.#slug(home) };
    const { items } = await listBlocksOf(database, filter, { limit: 100 });
    const block = items.find(
      (one) => one.from === dateAt(from) && one.to === dateAt(from + nights),
    );
    return block ? replyOf(unblockNights(database, actor, block.blockId)) : isRefused;
  }

  async channelSells({ home, from, nights }: ChannelCall): Promise<CallReply> {
    return this.#changed(
      `INSERT INTO occupancies (listing_id, nights, kind, source)
        VALUES ($1, daterange($2, $3), 'block', 'channel') ON CONFLICT DO NOTHING RETURNING 1`,
      [this.listingId(home), dateAt(from), dateAt(from + nights)],
    );
  }

  async channelFrees({ home, from, nights }: ChannelCall): Promise<CallReply> {
    return this.#changed(
      `DELETE FROM occupancies
        WHERE listing_id = $1 AND nights = daterange($2, $3) AND source = 'channel' RETURNING 1`,
      [this.listingId(home), dateAt(from), dateAt(from + nights)],
    );
  }

  async #changed(text: string, values: string[]): Promise<CallReply> {
    const rows = await sql(this.#database, text, values);
    return rows.length > 0 ? replyWith(200, {}) : isRefused;
  }

  cancel(reference: string): Promise<CallReply> {
    return replyOf(cancelReservation(this.#staff, actor, { reference, reason: 'the model' }));
  }

  change(reference: string, stay: StayName, price: PriceChoice): Promise<CallReply> {
    const words = stayWords(stay);
    const listing = this.#slug(words.home);
    const input = { ...datesOf(words), listing, price, reference, reason: 'the model' };
    return replyOf(changeReservation(this.#staff, actor, input));
  }

  async decideChange(
    request: { applicationId: string; changeRequestId: string },
    accepts: boolean,
  ): Promise<CallReply> {
    const decided = await (accepts ? acceptRequest : declineRequest)(this.#staff, actor, request);
    return isRefusal(decided) ? isRefused : replyWith(200, {});
  }

  /** All nights that are taken in the database, as the model names them. */
  async taken(nameOf: (by: string, bookingId: string) => string): Promise<Taken[]> {
    const rows = await sql<TakenRow & { listing_id: string; first: string; after_last: string }>(
      this.#database,
      `SELECT kind, source, listing_id, lower(nights) AS first, upper(nights) AS after_last, application_id,
        booking_id, (SELECT external_id FROM outside_stays s WHERE s.outside_stay_id = o.outside_stay_id) AS outside
        FROM occupancies o WHERE listing_id = ANY ($1)`,
      [homeNames.map((home) => this.listingId(home))],
    );
    const found: Pick<Inventory, 'taken'> = { taken: [] };
    for (const row of rows) {
      const nights = {
        home: this.homeOf(row.listing_id)!,
        from: dayAt(row.first),
        nights: dayAt(row.after_last) - dayAt(row.first),
      };
      const by = takerOf(row, nameOf);
      if (!isFree(found, nights)) throw new Difference(`two stays share a night of ${nights.home}`);
      for (const part of row.outside === null ? [nights] : singleNights(nights)) {
        take(found, { ...part, by: by as Taken['by'] });
      }
    }
    return found.taken;
  }
}

interface TakenRow {
  kind: string;
  source: string | null;
  application_id: string | null;
  booking_id: string | null;
  /** The name of the outside stay. */
  outside: string | null;
}

/** What has nights, as the model names it. */
function takerOf(row: TakenRow, nameOf: (by: string, bookingId: string) => string): string {
  if (row.kind === 'confirmed') return nameOf(row.application_id!, row.booking_id!);
  if (row.outside !== null) return `outside ${row.outside}`;
  // Nights are `held` only while a worker works; then no session looks.
  return row.source === 'channel' ? row.source : row.kind;
}

const singleNights = ({ home, from, nights }: Nights): Nights[] =>
  Array.from({ length: nights }, (_, at) => ({ home, from: from + at, nights: 1 }));

/** Waits for a new hour, if one is about to begin: no session may run across midnight in UTC or at a home. */
export async function stayWithinToday(): Promise<void> {
  const hourMs = 3_600_000;
  const leftMs = hourMs - (Date.now() % hourMs);
  if (leftMs < 60_000) await sleep(leftMs);
}

const inventoryOf = ({ inventory }: World): Inventory => inventory!;

const shows = (): null => null;

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
    return isDone;
  },
  act: ({ operator }, call) => operator.import(call),
  shows,
};

const areSame = (one: Nights, { home, from, nights }: Nights): boolean =>
  one.home === home && one.from === from && one.nights === nights;

const isBlock =
  (call: BlockCall) =>
  (one: Taken): boolean =>
    one.by === 'block' && areSame(one, call);

const blockKind: ActKind<BlockCall> = {
  tier: 'read',
  predict(world, call) {
    const inventory = inventoryOf(world);
    if (inventory.taken.some(isBlock(call))) return isDone;
    // A block of exactly the nights of a channel's event takes them over: the channel no longer frees them.
    const event = inventory.taken.find((one) => one.by === 'channel' && areSame(one, call));
    if (event) {
      event.by = 'block';
      return isDone;
    }
    if (!isFree(inventory, call)) return refusal;
    take(inventory, { ...call, by: 'block' });
    return isDone;
  },
  act: ({ operator }, call) => operator.block(call),
  shows,
};

const unblockKind: ActKind<BlockCall> = {
  tier: 'read',
  predict(world, call) {
    const inventory = inventoryOf(world);
    const block = inventory.taken.find(isBlock(call));
    if (!block) return refusal;
    inventory.taken = inventory.taken.filter((one) => one !== block);
    serveOutside(inventory);
    return isDone;
  },
  act: ({ operator }, call) => operator.unblock(call),
  shows,
};

const channelSellsKind: ActKind<ChannelCall> = {
  tier: 'read',
  predict(world, call) {
    const inventory = inventoryOf(world);
    if (!isFree(inventory, call)) return refusal;
    take(inventory, { ...call, by: 'channel' });
    return isDone;
  },
  act: ({ operator }, call) => operator.channelSells(call),
  shows,
};

const channelFreesKind: ActKind<ChannelCall> = {
  tier: 'read',
  predict(world, { home, from, nights }) {
    const inventory = inventoryOf(world);
    const rest = inventory.taken.filter(
      (one) =>
        !(one.by === 'channel' && one.home === home && one.from === from && one.nights === nights),
    );
    if (rest.length === inventory.taken.length) return refusal;
    inventory.taken = rest;
    serveOutside(inventory);
    return isDone;
  },
  act: ({ operator }, call) => operator.channelFrees(call),
  shows,
};

/** The reservation of a booking, if staff can change it. */
function changeable(
  account: Account,
  { booking: name, isKnown }: StaffCall,
): { booking: Checkout | Request; reservation: Reservation } | null {
  const booking = bookingOf(account, name);
  const reservation = booking?.reservation;
  if (!isKnown || !booking || reservation?.state !== 'confirmed') return null;
  return { booking, reservation };
}

const cancelKind: ActKind<StaffCall & { does: 'cancelStay' }> = {
  tier: 'read',
  predict(world, call) {
    const account = world.accounts[call.by];
    const { by, booking: name } = call;
    if (!changeable(account, call)) return refusal;
    account.unread[name].push(cancelStay(inventoryOf(world), by, account, name));
    declineOpenChange(account, name);
    return isDone;
  },
  act: (sessionClients, { by, booking }) =>
    sessionClients.operator.cancel(sessionClients.reference(by, booking) ?? nobodys),
  shows,
};

const changeKind: ActKind<StaffCall & { does: 'changeStay' }> = {
  tier: 'read',
  predict(world, call) {
    const { by, booking: name, stay } = call;
    const inventory = inventoryOf(world);
    const account = world.accounts[by];
    const found = changeable(account, call);
    if (!found) return refusal;
    const { booking, reservation } = found;
    const { home } = stayWords(stay);
    const isOther = home !== stayWords(reservation.stay).home;
    if (isOther && !isSold(inventory, by, home)) return refusal;
    const to = { stay, price: call.price, code: booking.code };
    const charges = changedCharges(inventory, by, reservation, to);
    const event = charges && changeStay(inventory, by, account, name, { stay, charges });
    if (!event) return refusal;
    account.unread[name].push(event);
    declineOpenChange(account, name);
    return isDone;
  },
  act: (sessionClients, { by, booking, stay, price }) =>
    sessionClients.operator.change(sessionClients.reference(by, booking) ?? nobodys, stay, price),
  shows,
};

/** Does what a partner asks. Returns the event; null, and nothing is changed: it no longer is what was shown. */
function carryOut(
  inventory: Inventory,
  by: AccountName,
  account: Account,
  { booking: name, kind, wanted, preview }: Change,
): string | null {
  if (kind === 'cancel') return cancelStay(inventory, by, account, name);
  const { reservation, code } = bookingOf(account, name)!;
  const stay = stayAfter(inventory, reservation!.stay, wanted);
  const to = { stay, price: 'recalculate', code } as const;
  const charges = changedCharges(inventory, by, reservation!, to);
  if (charges?.total !== preview!.total) return null;
  return changeStay(inventory, by, account, name, { stay, charges: charges! });
}

const decideChangeKind: ActKind<DecideChangeCall> = {
  tier: 'read',
  predict(world, { by, change: name, accepts }) {
    const account = world.accounts[by];
    const change = account.changes[name];
    if (change?.state !== 'open') return refusal;
    const event = accepts ? carryOut(inventoryOf(world), by, account, change) : null;
    if (accepts && event === null) return refusal;
    decideChange(account, name, change, accepts ? 'accepted' : 'declined');
    if (event !== null) account.unread[change.booking].push(event);
    return isDone;
  },
  act: (sessionClients, { by, change, accepts }) =>
    sessionClients.operator.decideChange(
      {
        applicationId: sessionClients.applicationOf(by),
        changeRequestId: sessionClients.idOf(by, change),
      },
      accepts,
    ),
  shows,
};

export const operatorKinds = {
  import: importKind,
  block: blockKind,
  unblock: unblockKind,
  channelSells: channelSellsKind,
  channelFrees: channelFreesKind,
  cancelStay: cancelKind,
  changeStay: changeKind,
  decideChange: decideChangeKind,
};
