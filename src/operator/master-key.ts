/** A new master key: everything that is sealed is sealed with it, then the earlier ones are retired. */
import { sealedSigningKeys } from '../access/index.ts';
import {
  digestGuests,
  digestGuestsAgain,
  digestReservationsAgain,
  sealedBookings,
  sealedNotes,
  sealedRequestNotes,
} from '../bookings/index.ts';
import {
  addressesOfOtherKeys,
  digestSourcesAgain,
  removeAddressesOf,
  sealedCalendars,
} from '../channels/index.ts';
import type { Refusal } from '../contract/errors.ts';
import { refuseConflict } from '../contract/operator/errors.ts';
import { instant } from '../contract/time.ts';
import { sealedErasures } from '../payments/index.ts';
import { auditedChange } from '../platform/audit/audited-change.ts';
import { insertAuditEntry } from '../platform/audit/audit-entries.ts';
import { sealedAuditTexts } from '../platform/audit/audit-texts.ts';
import type { Database, Executor } from '../platform/postgres/database.ts';
import {
  forgetRetiredKeys,
  type KnownKey,
  listMasterKeys,
  processesWithOtherKey,
  retireOtherKeys,
} from '../platform/postgres/master-keys.ts';
import { passOver, type SealedColumn } from '../platform/postgres/sealed-columns.ts';
import { sealedFactors } from '../sign-in/index.ts';
import { sealedSecrets } from '../webhooks/index.ts';
import { countHandedOut } from './store/ends-with-master-key.ts';

/** Every column with sealed values, but what ends by itself within a day (`keyed_creates`). Spec: ACCESS-14. */
export const sealedColumns: readonly SealedColumn[] = [
  ...sealedSigningKeys,
  ...sealedFactors,
  ...sealedCalendars,
  ...sealedBookings,
  ...sealedNotes,
  ...sealedRequestNotes,
  ...sealedErasures,
  ...sealedSecrets,
  ...sealedAuditTexts,
];

const idOf = (check: Buffer): string => check.toString('hex').slice(0, 12);

async function otherProcesses(database: Database): Promise<Refusal<'conflict'> | null> {
  const others = await processesWithOtherKey(database, database.vault.check);
  if (others.length === 0) return null;
  const named = others.map(({ host, port }) => `${host}:${port}`).join(', ');
  return refuseConflict(
    `These processes use another master key for everything new: ${named}. Put the same key first for all of them, and start them again.`,
  );
}

/** Values by whether the first key has sealed them. */
interface Counts {
  earlier: number;
  unreadable: number;
}

async function passOverAll(database: Database, change: 'reseal' | 'count'): Promise<Counts> {
  const total: Counts = { earlier: 0, unreadable: 0 };
  for (const column of sealedColumns) {
    const { earlier, unreadable } = await passOver(database, column, change);
    total.earlier += earlier;
    total.unreadable += unreadable;
  }
  return total;
}

const mostPasses = 10;
const atOnce = 200;

/** Seals everything with the first key. `remaining`: rows that others have locked in every pass. */
async function resealAll(database: Database) {
  let sealed = 0;
  for (let pass = 1; pass <= mostPasses; pass += 1) {
    const { earlier, unreadable } = await passOverAll(database, 'reseal');
    if (earlier === 0) return { sealed, unreadable, remaining: 0 };
    sealed += earlier;
  }
  const { earlier, unreadable } = await passOverAll(database, 'count');
  return { sealed: sealed - earlier, unreadable, remaining: earlier };
}

async function digestAgain(database: Database): Promise<number> {
  const changed =
    (await digestSourcesAgain(database)) +
    (await digestGuestsAgain(database)) +
    (await digestReservationsAgain(database));
  while ((await digestGuests(database, atOnce)) > 0);
  return changed;
}

/** What a rotation has done, or would do. */
export interface Rotation {
  dryRun: boolean;
  key: string;
  /** Values that were sealed with an earlier key. */
  sealed: number;
  /** Values that none of the keys opens: they stay as they are. */
  unreadable: number;
}

/**
 * Seals with the first master key what an earlier one has sealed, while services run. It can end at any point and be
 * called again. Spec: ACCESS-14.
 */
export async function rotateMasterKey(
  database: Database,
  actor: string,
  dryRun: boolean,
): Promise<Rotation | Refusal<'conflict'>> {
  const refused = await otherProcesses(database);
  if (refused) return refused;
  const key = idOf(database.vault.check);
  if (dryRun) {
    const { earlier, unreadable } = await passOverAll(database, 'count');
    return { dryRun, key, sealed: earlier, unreadable };
  }
  const { sealed, unreadable, remaining } = await resealAll(database);
  if (remaining > 0) {
    return refuseConflict(
      `${remaining} values are locked by other work. Everything else is done: run it again.`,
    );
  }
  const digests = await digestAgain(database);
  await insertAuditEntry(database, {
    actor,
    action: 'master-key.rotate',
    details: { key, sealed, digests, unreadable },
  });
  return { dryRun, key, sealed, unreadable };
}

const keyView = ({ check, addedAt, retiredAt }: KnownKey) => ({
  key: idOf(check),
  addedAt: instant(addedAt),
  retiredAt: instant(retiredAt),
});

/** Shows the keys that the database has seen, and how many values wait for a rotation. */
export async function showMasterKeys(database: Database) {
  const { earlier, unreadable } = await passOverAll(database, 'count');
  const known = await listMasterKeys(database);
  return {
    key: idOf(database.vault.check),
    sealedWithEarlierKeys: earlier,
    unreadable,
    items: known.map(keyView),
  };
}

/** What retiring ends, in words for staff. */
async function endsOf(executor: Executor, current: KnownKey) {
  const since = instant(current.addedAt);
  const counts = await countHandedOut(executor, current.addedAt);
  const addresses = await addressesOfOtherKeys(executor);
  return {
    addresses,
    ends: {
      handedOutBefore: since,
      ...counts,
      calendarAddresses: addresses.map(({ slug }) => slug),
      also: [
        `Cursors of lists from before ${since}: 400.`,
        `Repeats of creates and commands from before ${since}: they are taken for other input (409 different_input).`,
        'Erasures by email of that time in the file erasures: a restored backup of before is no longer searched by them, only by their bookings.',
      ],
    },
  };
}

/** What a retirement has ended, or would end. */
export type Retirement = { dryRun: boolean; retired: ReturnType<typeof keyView>[] } & Pick<
  Awaited<ReturnType<typeof endsOf>>,
  'ends'
>;

async function retireRefusal(database: Database): Promise<Refusal<'conflict'> | null> {
  const refused = await otherProcesses(database);
  if (refused) return refused;
  const { earlier } = await passOverAll(database, 'count');
  if (earlier === 0) return null;
  return refuseConflict(
    `${earlier} values are still sealed with an earlier key: run "latchkey master-key rotate" first.`,
  );
}

/** Ends everything that earlier master keys have made, and says what that is. Spec: ACCESS-14. */
export async function retireMasterKeys(
  database: Database,
  actor: string,
  dryRun: boolean,
): Promise<Retirement | Refusal<'conflict'>> {
  const refused = await retireRefusal(database);
  if (refused) return refused;
  const known = await listMasterKeys(database);
  const isCurrent = ({ check }: KnownKey) => check.equals(database.vault.check);
  const others = known.filter((one) => one.retiredAt === null && !isCurrent(one));
  if (others.length === 0) return refuseConflict('There is no earlier key to retire.');
  const { addresses, ends } = await endsOf(database, known.find(isCurrent)!);
  if (dryRun) return { dryRun, retired: others.map(keyView), ends };
  // A rotation can have ended before them, and nobody finds a guest by a digest of a retired key.
  await digestAgain(database);
  const retired = await auditedChange(
    database,
    async (executor) => {
      await removeAddressesOf(executor, addresses);
      return retireOtherKeys(executor, database.vault.check);
    },
    (keys) => ({
      actor,
      action: 'master-key.retire',
      details: { retired: keys.map(({ check }) => idOf(check)), addresses: addresses.length },
    }),
  );
  await forgetRetiredKeys(database);
  return { dryRun, retired: retired.map(keyView), ends };
}
