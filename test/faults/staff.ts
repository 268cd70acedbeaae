/** Staff who change homes and reservations while guests book, by the functions of the command line, and another channel. */
import { blockImport } from '../../src/inventory/index.ts';
import type { Database } from '../../src/platform/postgres/database.ts';
import { DatabaseUnavailableError } from '../../src/platform/postgres/database-errors.ts';
import { staffContext } from '../../src/program/staff-context.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { importFile } from '../harness/import-file.ts';
import { actor } from '../harness/staff.ts';
import type { Channel } from './channel.ts';
import type { History } from './history.ts';
import type { OwnHomes } from './own-homes.ts';
import type { Chance } from '../harness/chance.ts';
import {
  RefusedAct,
  blockNights,
  cancelReservation,
  changeReservation,
  unblockNights,
} from '../harness/acts.ts';

/** The homes that staff change, and their connection to the database. */
export interface StaffOptions {
  database: Database;
  own: OwnHomes;
  /** Another channel that sells one of them. */
  channel: Channel;
  history: History;
  /** The reference of a reservation that a guest knows; undefined: there is none yet. */
  reservation(chance: Chance): string | undefined;
  /** The number of acts by their end. */
  count(act: string): void;
}

/** `unclear`: the database did not answer, so nobody knows. */
export type End = 'done' | 'refused' | 'unclear';
/** Something that staff do. */
export type Act = (options: StaffOptions, chance: Chance) => Promise<End>;

/** The reason of all acts. */
export const reason = 'the fault run';
const withoutDatabaseMs = 100;

/** Does something, and notes what it returns. */
export async function attempt<T>(work: Promise<T>, note: (done: T) => void): Promise<End> {
  try {
    note(await work);
    return 'done';
  } catch (error) {
    if (error instanceof RefusedAct) return 'refused';
    if (!(error instanceof DatabaseUnavailableError)) throw error;
    await sleep(withoutDatabaseMs);
    return 'unclear';
  }
}

/** The dependencies of staff. */
export const staffOf = ({ database }: StaffOptions) =>
  staffContext(database, 'test', () => undefined);

async function cancel(options: StaffOptions, chance: Chance): Promise<End> {
  const { history } = options;
  const reference = options.reservation(chance);
  if (reference === undefined) return 'refused';
  const work = cancelReservation(staffOf(options), actor, { reference, reason });
  const end = await attempt(work, ({ version, state, listingId, checkIn, checkOut }) =>
    history.stays.push({ reference, version, state, listingId, checkIn, checkOut }),
  );
  if (end === 'unclear') history.unclear.add(reference);
  return end;
}

type Changes = Omit<Parameters<typeof changeReservation>[2], 'reference' | 'reason'>;

const changing =
  (changesOf: (options: StaffOptions, chance: Chance) => Changes): Act =>
  async (options, chance) => {
    const { history } = options;
    const reference = options.reservation(chance);
    if (reference === undefined) return 'refused';
    const changes = changesOf(options, chance);
    const work = changeReservation(staffOf(options), actor, { reference, reason, ...changes });
    const end = await attempt(work, ({ version, state, after }) => {
      const { listingId, checkIn, checkOut } = after;
      history.stays.push({ reference, version, state, listingId, checkIn, checkOut });
    });
    if (end === 'unclear') history.unclear.add(reference);
    return end;
  };

const changeDates = changing(({ own }, chance) => {
  const { checkIn, checkOut } = own.nights(chance);
  return { checkIn, checkOut };
});

const changeHome = changing(({ own }, chance) => {
  const { slug, checkIn, checkOut } = own.nights(chance);
  return { listing: slug, checkIn, checkOut };
});

const changeParty = changing((_options, chance) => ({ party: { adults: 1 + chance.below(4) } }));

function block({ database, own, history }: StaffOptions, chance: Chance): Promise<End> {
  const { slug, listingId, checkIn, checkOut } = own.nights(chance, 'staff');
  const wanted = { listing: slug, from: checkIn, to: checkOut, reason: null };
  return attempt(blockNights(database, actor, wanted), ({ blockId }) => {
    const known = history.blocks.some((one) => one.blockId === blockId);
    if (!known) history.blocks.push({ blockId, listingId, checkIn, checkOut, state: 'there' });
  });
}

async function unblock({ database, history }: StaffOptions, chance: Chance): Promise<End> {
  const there = history.blocks.filter(({ state }) => state === 'there');
  if (there.length === 0) return 'refused';
  const removed = chance.pick(there);
  removed.state = 'unclear';
  return attempt(unblockNights(database, actor, removed.blockId), () => {
    removed.state = 'removed';
  });
}

const sellElsewhere: Act = ({ channel, history }, chance) =>
  attempt(channel.sellOthers(history, chance), () => undefined);

const importing =
  (mode: 'merge' | 'replace'): Act =>
  ({ database, own }, chance) =>
    attempt(importFile(database, own.file(chance), { mode, blocks: blockImport }), () => undefined);

/** What staff do, as often as it is here. */
export const stayActs: Readonly<Record<string, Act>> = {
  cancel,
  'cancel again': cancel,
  'cancel once more': cancel,
  'change dates': changeDates,
  'change home': changeHome,
  'change party': changeParty,
  block,
  unblock,
  'sell elsewhere': sellElsewhere,
  import: importing('merge'),
  'import with --replace': importing('replace'),
};

const pauseMs = 60;

/** One of the staff, who does these acts until it is over. */
export async function workAsStaff(
  acts: Readonly<Record<string, Act>>,
  options: StaffOptions,
  chance: Chance,
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    const [name, act] = chance.pick(Object.entries(acts));
    try {
      options.count(`${name} ${await act(options, chance)}`);
    } catch (error) {
      options.history.surprises.push(`staff, ${name}: ${String(error)}`);
    }
    await sleep(chance.below(pauseMs));
  }
}
