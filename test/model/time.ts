/** Lets time pass in a session: changes the rows and the model. */
import { releaseExpiredPromotions } from '../../src/bookings/store/bookings.ts';
import { sql } from '../harness/rows.ts';
import type { SessionClients } from './session-clients.ts';
import type { TestSystem } from './test-system.ts';
import {
  accountNames,
  changesOf,
  checkoutsOf,
  requestsOf,
  smallQuotas,
  type Account,
  type AccountName,
  type QuoteName,
  type SmallTier,
  type World,
} from './world.ts';

const anHour = 3_600;
const aMinute = 60;
const housekeepingAtMost = 500;

const applicationsOf = (sessionClients: SessionClients): string[] =>
  accountNames.map((by) => sessionClients.applicationOf(by));

const accountsOf = ({ accounts }: World): Account[] => Object.values(accounts);

/** Refills quotas up to their size. */
function refill(world: World, seconds: number): void {
  const tiers = Object.entries(smallQuotas) as [SmallTier, number][];
  for (const { left } of accountsOf(world)) {
    if (!left) continue;
    for (const [tier, most] of tiers) {
      left[tier] = Math.min(most, left[tier] + (seconds * 1_000 * most) / 60_000);
    }
  }
}

/** Refills quotas for this many seconds. */
export function passSeconds(system: TestSystem, worlds: readonly World[], seconds: number): void {
  system.passSeconds(seconds);
  for (const world of worlds) refill(world, seconds);
}

/** Expires the quote, if it exists and is valid. */
export async function expireQuote(
  system: TestSystem,
  sessionClients: SessionClients,
  worlds: readonly World[],
  by: AccountName,
  quote: QuoteName,
): Promise<void> {
  const text = `UPDATE quotes SET created_at = created_at - make_interval(secs => $3),
      expires_at = expires_at - make_interval(secs => $3)
    WHERE application_id = $1 AND quote_id = $2 AND expires_at > now() RETURNING quote_id`;
  const values = [sessionClients.applicationOf(by), sessionClients.idOf(by, quote), anHour];
  const rows = await sql(system.service.database, text, values);
  if (rows.length === 0) return;
  sessionClients.expire(by, quote);
  for (const world of worlds) {
    const expired = world.accounts[by].quotes[quote];
    if (expired) expired.expired = true;
  }
  // A worker in the service does it at any moment.
  if (system.workerPlace !== 'apart') await giveUsesBack(system, worlds);
}

/** Returns the promotion uses of checkouts that can no longer be submitted. */
async function giveUsesBack({ service }: TestSystem, worlds: readonly World[]): Promise<void> {
  await releaseExpiredPromotions(service.database, housekeepingAtMost);
  for (const account of worlds.flatMap(accountsOf)) {
    for (const [, checkout] of checkoutsOf(account)) {
      const isUnsubmitted = !checkout.isSubmitted && checkout.state !== 'expired';
      if (isUnsubmitted && account.quotes[checkout.quote]!.expired) checkout.holdsUse = false;
    }
  }
}

/**
 * A minute more since payment setups were asked for. The versions move, as with every change of the
 * service's own: what it remembers of a version is always so.
 */
export async function passMinute(
  system: TestSystem,
  sessionClients: SessionClients,
  worlds: readonly World[],
): Promise<void> {
  const text = `UPDATE bookings SET version = version + 1,
      payment_requested_at = payment_requested_at - make_interval(secs => $2)
    WHERE application_id = ANY ($1) AND state = 'needs_payment' AND payment_requested_at IS NOT NULL`;
  await sql(system.service.database, text, [applicationsOf(sessionClients), aMinute]);
  for (const [, checkout] of worlds.flatMap(accountsOf).flatMap(checkoutsOf)) {
    if (checkout.state !== 'needs_payment' || !checkout.setup) continue;
    checkout.version += 1;
    checkout.setup.isMinuteOld = true;
  }
  passSeconds(system, worlds, aMinute);
}

const overdueTexts = [
  `UPDATE simulated_attempts SET known_at = now() - interval '1 second'
    WHERE known_at > now() AND attempt_id IN (
      SELECT attempt_id FROM bookings WHERE application_id = ANY ($1))`,
  `UPDATE reservations SET announced_for = now() - interval '1 second'
    WHERE application_id = ANY ($1) AND announced_for IS NOT NULL`,
  `UPDATE change_requests SET created_at = created_at - interval '1 hour'
    WHERE application_id = ANY ($1) AND state = 'open'`,
  `UPDATE bookings SET due_at = now() - interval '1 second'
    WHERE application_id = ANY ($1) AND state IN ('requires_action', 'uncertain', 'unresolved')`,
] as const;

function passHourFor(account: Account, decidesChanges: boolean): void {
  if (decidesChanges) for (const [, change] of changesOf(account)) change.isDue = true;
  const checkouts = checkoutsOf(account).map(([, checkout]) => checkout);
  for (const checkout of checkouts) {
    if (checkout.state === 'requires_action') checkout.isActionOverdue = true;
  }
  for (const booking of [...checkouts, ...requestsOf(account).map(([, request]) => request)]) {
    if (booking.state === 'uncertain' || booking.state === 'unresolved') booking.isAnnounced = true;
    if (booking.reservation?.announced) booking.reservation.isDue = true;
  }
}

/** Long enough for supplier results, announcements and the end of authentications. */
export async function passHour(
  system: TestSystem,
  sessionClients: SessionClients,
  worlds: readonly World[],
): Promise<void> {
  const { database } = system.service;
  for (const text of overdueTexts) await sql(database, text, [applicationsOf(sessionClients)]);
  await giveUsesBack(system, worlds);
  const decidesChanges = system.environment === 'simulation';
  for (const account of worlds.flatMap(accountsOf)) passHourFor(account, decidesChanges);
  passSeconds(system, worlds, anHour);
}

/** Removes due work, so that it does not affect the next session. */
export const leaveAlone = ({ service }: TestSystem, sessionClients: SessionClients) =>
  sql(
    service.database,
    'UPDATE bookings SET due_at = NULL WHERE application_id = ANY ($1) AND due_at IS NOT NULL',
    [applicationsOf(sessionClients)],
  );
