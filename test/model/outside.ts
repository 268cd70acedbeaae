/** Stays that another system of the operator sells: what it tells, what is refused, and what has their nights. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  listOutsideStaysOf,
  putOutsideStay,
  readOutsideStay,
  removeOutsideStay,
} from '../../src/channels/outside-stays.ts';
import type { OutsideStay as StoredStay } from '../../src/channels/store/outside-stays.ts';
import { errors, isRefusal, type Refusal } from '../../src/contract/errors.ts';
import type { Database } from '../../src/platform/postgres/database.ts';
import type { CallReply } from '../harness/partner.ts';
import { sql } from '../harness/rows.ts';
import { actor } from '../harness/staff.ts';
import {
  dateAt,
  dayAt,
  nightsOf,
  releaseOutside,
  serveOutside,
  takeOutside,
  type HomeName,
  type Inventory,
  type Nights,
  type OutsideName,
  type OutsideStay,
} from './homes.ts';
import type { ActKind } from './kind.ts';
import { refused, shown } from './reply-summary.ts';
import type { SessionClients } from './session-clients.ts';
import type { AccountName, World } from './world.ts';

interface OnStay {
  /** Any, because every call has one. */
  by: AccountName;
  stay: OutsideName;
}

/** The other system tells a stay: a new one, the same again, or with other nights or another home. */
export interface PutOutsideCall extends OnStay, Omit<Nights, 'home'> {
  does: 'putOutside';
  home: HomeName | 'nowhere';
}

/** It takes a stay back, or asks what has its nights. */
export interface OutsideCall extends OnStay {
  does: 'removeOutside' | 'readOutside';
}

/** It asks for all that it has told. */
export interface ListOutsideCall extends Omit<OnStay, 'stay'> {
  does: 'listOutside';
}

/** An outside stay as the model shows it. */
interface StayShown extends Nights {
  stay: OutsideName;
  /** The nights that something else has, and what. */
  conflicts: string[];
}

const mostNights = 730;
const settledWithinMs = 10_000;
const lookMs = 10;

const replyWith = (status: number, body: object): CallReply => ({
  status,
  headers: new Headers(),
  body,
  text: '',
});
const replyOfRefusal = ({ refused: code }: Refusal): CallReply =>
  replyWith(errors[code].status, { error: { code } });

type StoredConflict = StoredStay['conflicts'][number];

/** The other system of a session, by the functions of the operator's API. */
export class OutsideSystem {
  readonly #database: Database;
  readonly #source: string;
  readonly #homeOf: (listingId: string) => HomeName | undefined;
  readonly #slugOf: (home: HomeName) => string;

  constructor(
    database: Database,
    session: string,
    homes: { homeOf(listingId: string): HomeName | undefined; slugOf(home: HomeName): string },
  ) {
    this.#database = database;
    this.#source = `pms-${session}`;
    this.#homeOf = homes.homeOf;
    this.#slugOf = homes.slugOf;
  }

  #nameOf(stay: OutsideName) {
    return { source: this.#source, externalId: stay };
  }

  async put(clients: SessionClients, call: PutOutsideCall): Promise<CallReply> {
    const { stay, home, from, nights } = call;
    const listing = home === 'nowhere' ? home : this.#slugOf(home);
    const input = { listing, from: dateAt(from), to: dateAt(from + nights), reason: null };
    const put = await putOutsideStay(this.#database, actor, this.#nameOf(stay), input);
    if (isRefusal(put)) return replyOfRefusal(put);
    const { change } = put;
    const shows = await this.#shown(clients, put.stay);
    return replyWith(change === 'added' ? 201 : 200, { change, ...shows });
  }

  async remove({ stay }: OutsideCall): Promise<CallReply> {
    const wasThere = await removeOutsideStay(this.#database, actor, this.#nameOf(stay));
    return replyWith(200, { wasThere });
  }

  async read(clients: SessionClients, { stay }: OutsideCall): Promise<CallReply> {
    const found = await readOutsideStay(this.#database, this.#nameOf(stay));
    return isRefusal(found)
      ? replyOfRefusal(found)
      : replyWith(200, await this.#shown(clients, found));
  }

  async list(clients: SessionClients): Promise<CallReply> {
    const page = { limit: 100 };
    const found = await listOutsideStaysOf(this.#database, { source: this.#source }, page);
    if (isRefusal(found)) return replyOfRefusal(found);
    const items = await Promise.all(found.items.map((stay) => this.#shown(clients, stay)));
    return replyWith(200, items);
  }

  async #shown(clients: SessionClients, stay: StoredStay): Promise<StayShown> {
    const conflicts = await this.#settled(stay);
    const named = await Promise.all(conflicts.map((one) => this.#named(clients, one)));
    return {
      stay: stay.externalId as OutsideName,
      home: this.#homeOf(stay.listingId)!,
      from: dayAt(stay.from),
      nights: dayAt(stay.to) - dayAt(stay.from),
      conflicts: named.flat().toSorted(),
    };
  }

  /** The conflicts as they are when the bookings that held nights have ended. Those that were not made leave none. */
  async #settled(stay: StoredStay): Promise<StoredConflict[]> {
    const isHeld = ({ kind, reference }: StoredConflict) =>
      kind === 'reservation' && reference === null;
    const held = stay.conflicts.filter(isHeld);
    const end = performance.now() + settledWithinMs;
    let now = stay;
    while (held.length > 0 && now.conflicts.some(isHeld) && performance.now() < end) {
      await sleep(lookMs);
      const found = await readOutsideStay(this.#database, stay);
      if (isRefusal(found)) break;
      now = found;
    }
    const made = held.flatMap(({ from, to }) =>
      now.conflicts.filter(
        (one) => one.kind === 'reservation' && one.from === from && one.to === to && !isHeld(one),
      ),
    );
    return [...stay.conflicts.filter((one) => !isHeld(one)), ...made];
  }

  /** What has each night of a conflict, as the model names it. */
  async #named(clients: SessionClients, conflict: StoredConflict): Promise<string[]> {
    const { kind, reference } = conflict;
    const holder =
      kind === 'reservation'
        ? await this.#bookingOf(clients, reference!)
        : kind === 'outside_stay'
          ? `outside ${reference!.replace(`${this.#source}/`, '')}`
          : kind;
    const from = dayAt(conflict.from);
    return nightsOf({ from, nights: dayAt(conflict.to) - from }).map(
      (night) => `${night} ${holder}`,
    );
  }

  async #bookingOf(clients: SessionClients, reference: string): Promise<string> {
    const [row] = await sql<{ applicationId: string; bookingId: string }>(
      this.#database,
      `SELECT application_id AS "applicationId", booking_id AS "bookingId" FROM occupancies
        WHERE reference = $1 UNION
      SELECT application_id, booking_id FROM reservations WHERE reference = $1`,
      [reference],
    );
    return row ? clients.takerOf(row.applicationId, row.bookingId) : reference;
  }
}

const shownStay = (
  { taken, held }: Inventory,
  { stay, home, from, nights }: OutsideStay,
): StayShown => ({
  stay,
  home,
  from,
  nights,
  conflicts: nightsOf({ from, nights })
    .flatMap((night) =>
      taken
        .filter(
          (one) =>
            one.home === home &&
            one.from <= night &&
            night < one.from + one.nights &&
            one.by !== `outside ${stay}` &&
            !held.includes(one.by),
        )
        .map(({ by }) => `${night} ${by}`),
    )
    .toSorted(),
});

const found = ({ outside }: Inventory, name: OutsideName): OutsideStay | undefined =>
  outside.find(({ stay }) => stay === name);

/** What has nights of outside stays, once for each. */
export const holdersIn = ({ inventory }: World): string[] =>
  (inventory?.outside ?? []).flatMap((stay) =>
    shownStay(inventory!, stay).conflicts.map((conflict) => conflict.split(' ')[1]!),
  );

const inventoryOf = ({ inventory }: World): Inventory => inventory!;
const shows = (_clients: SessionClients, _call: unknown, { body }: CallReply): unknown => body;

const putKind: ActKind<PutOutsideCall> = {
  tier: 'read',
  predict(world, { stay, home, from, nights }) {
    if (nights < 1 || nights > mostNights) return refused('400 invalid_input');
    if (home === 'nowhere') return refused('404 not_found');
    const inventory = inventoryOf(world);
    const before = found(inventory, stay);
    const isSame = before?.home === home && before.from === from && before.nights === nights;
    if (isSame) return shown(200, { change: 'unchanged', ...shownStay(inventory, before) });
    releaseOutside(inventory, stay);
    const told: OutsideStay = { stay, home, from, nights };
    // A stay that moves keeps its age.
    inventory.outside = before
      ? inventory.outside.map((one) => (one === before ? told : one))
      : [...inventory.outside, told];
    // It takes its nights before others get what it has left.
    takeOutside(inventory, told);
    const reply = { change: before ? 'changed' : 'added', ...shownStay(inventory, told) };
    serveOutside(inventory);
    return shown(before ? 200 : 201, reply);
  },
  act: (clients, call) => clients.operator.outside.put(clients, call),
  shows,
};

const removeKind: ActKind<OutsideCall> = {
  tier: 'read',
  predict(world, { stay }) {
    const inventory = inventoryOf(world);
    const wasThere = found(inventory, stay) !== undefined;
    releaseOutside(inventory, stay);
    inventory.outside = inventory.outside.filter((one) => one.stay !== stay);
    serveOutside(inventory);
    return shown(200, { wasThere });
  },
  act: ({ operator }, call) => operator.outside.remove(call),
  shows,
};

const readKind: ActKind<OutsideCall> = {
  tier: 'read',
  predict(world, { stay }) {
    const inventory = inventoryOf(world);
    const told = found(inventory, stay);
    return told ? shown(200, shownStay(inventory, told)) : refused('404 not_found');
  },
  act: (clients, call) => clients.operator.outside.read(clients, call),
  shows,
};

const listKind: ActKind<ListOutsideCall> = {
  tier: 'read',
  predict(world) {
    const inventory = inventoryOf(world);
    const byName = inventory.outside.toSorted((a, b) => (a.stay < b.stay ? -1 : 1));
    return shown(
      200,
      byName.map((one) => shownStay(inventory, one)),
    );
  },
  act: (clients) => clients.operator.outside.list(clients),
  shows,
};

export const outsideKinds = {
  putOutside: putKind,
  removeOutside: removeKind,
  readOutside: readKind,
  listOutside: listKind,
};
