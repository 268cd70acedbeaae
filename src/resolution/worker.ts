import { claimDueBookings, type Claim } from '../db/booking-claims.ts';
import { releaseLapsedPromotions } from '../db/bookings.ts';
import { sweepEvents } from '../db/events.ts';
import { sweepPortalLinks } from '../db/portal-links.ts';
import { sweepPortalSessions } from '../db/portal-sessions.ts';
import { sweepQuotes } from '../db/quotes.ts';
import { sweepRequestLog } from '../db/request-log.ts';
import { materializeReservations } from '../db/reservations.ts';
import { limits } from '../contract/limits.ts';
import { portalLimits } from '../contract/portal/limits.ts';
import { isPassing, takeStep, type StepParts } from './steps.ts';

/** The log, as far as the worker uses it. */
export interface WorkerLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

export interface WorkerParts extends StepParts {
  log: WorkerLog;
  /** Events of this application were committed. */
  onEvents?: (applicationId: string) => void;
  leaseSeconds?: number;
}

/** Takes up what is due: setups, submitted bookings, outcomes that were unknown. */
export interface Worker {
  /** For how long a booking may be claimed for this worker right now; null: it has no room. */
  leaseSeconds(): number | null;
  /** Takes up a booking that was claimed for it. */
  takeUp(claim: Claim): void;
  /** Something is due now: do not wait for the next round. */
  wake(): void;
  /** Takes nothing up any more, and waits for what is under way. */
  stop(): Promise<void>;
}

const roundMs = 1_000;
const inFlightAtMost = 64;
const claimAtMost = 32;
const defaultLeaseSeconds = 15;
// The rest of the lease is for the database.
const askingShare = 2 / 3;
const batch = 500;
// There can be many more calls than events.
const requestBatch = 20_000;
const housekeepingEveryRounds = 60;
const unusedQuoteDays = 30;

/** Starts the worker of this process. Any number of processes may have one. */
export function startWorker(parts: WorkerParts): Worker {
  const { executor, log } = parts;
  const leaseSeconds = parts.leaseSeconds ?? defaultLeaseSeconds;
  const underWay = new Set<Promise<void>>();
  let stopping = false;
  let woken = false;
  let wakeSleeper = (): void => undefined;

  function wake(): void {
    woken = true;
    wakeSleeper();
  }

  function sleep(): Promise<void> {
    if (woken || stopping) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, roundMs);
      wakeSleeper = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async function step(claim: Claim): Promise<void> {
    const { applicationId, kind, bookingId } = claim.booking;
    try {
      const change = await takeStep(parts, claim, leaseSeconds * 1_000 * askingShare);
      if (!change) return;
      const { state, version } = change.next;
      log.info({ applicationId, kind, bookingId, state, version }, 'booking moved');
      if (change.dueInSeconds === 0) wake();
      if (change.events.length > 0) parts.onEvents?.(applicationId);
    } catch (error) {
      const report = isPassing(error) ? 'warn' : 'error';
      log[report]({ err: error, applicationId, kind, bookingId }, 'step failed; the lease decides');
    }
  }

  function takeUp(claim: Claim): void {
    const started = step(claim).finally(() => underWay.delete(started));
    underWay.add(started);
  }

  async function claimRound(): Promise<void> {
    const room = Math.min(claimAtMost, inFlightAtMost - underWay.size);
    if (room <= 0) {
      await Promise.race(underWay);
      woken = true;
      return;
    }
    const { claims, unreadable } = await claimDueBookings(executor, room, leaseSeconds);
    for (const { error, ...booking } of unreadable) {
      log.error({ err: error, ...booking }, 'booking cannot be read; it stays as it is');
    }
    for (const claim of claims) takeUp(claim);
    if (claims.length + unreadable.length === room) woken = true;
  }

  async function housekeeping(): Promise<void> {
    await sweepEvents(executor, limits.eventFeedDays, batch);
    await sweepQuotes(executor, unusedQuoteDays, batch);
    await releaseLapsedPromotions(executor, batch);
    await sweepPortalLinks(executor, batch);
    await sweepPortalSessions(executor, batch);
    await sweepRequestLog(executor, portalLimits.requestLogDays, requestBatch);
  }

  /** Runs a chore; what fails now is tried again in its next round. */
  async function chore(name: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      log.warn({ err: error, chore: name }, 'chore failed; it is tried again');
    }
  }

  async function takeUpDue(): Promise<void> {
    while (!stopping) {
      woken = false;
      await chore('claim', claimRound);
      await sleep();
    }
  }

  async function rounds(): Promise<void> {
    for (let round = 0; !stopping; round += 1) {
      await chore('materialize', () => materializeReservations(executor, batch));
      if (round % housekeepingEveryRounds === 0) await chore('housekeeping', housekeeping);
      await pause();
    }
  }

  let endPause = (): void => undefined;
  const pause = (): Promise<void> =>
    new Promise((resolve) => {
      if (stopping) return resolve();
      const timer = setTimeout(resolve, roundMs);
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const running = Promise.all([takeUpDue(), rounds()]);
  return {
    leaseSeconds: () => (stopping || underWay.size >= inFlightAtMost ? null : leaseSeconds),
    takeUp,
    wake,
    async stop() {
      stopping = true;
      wakeSleeper();
      endPause();
      await running;
      await Promise.all(underWay);
    },
  };
}
