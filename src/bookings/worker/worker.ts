import { claimDueBookings, type Claim } from '../store/booking-claims.ts';
import { startLoop, type Loop } from '../../platform/loop.ts';
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

/** Starts the worker of this process. Any number of processes may have one. */
export function startWorker(parts: WorkerParts): Worker {
  const { executor, log } = parts;
  const leaseSeconds = parts.leaseSeconds ?? defaultLeaseSeconds;
  const underWay = new Set<Promise<void>>();
  let stopping = false;

  async function step(claim: Claim): Promise<void> {
    const { applicationId, kind, bookingId } = claim.booking;
    try {
      const change = await takeStep(parts, claim, leaseSeconds * 1_000 * askingShare);
      if (!change) return;
      const { state, version } = change.next;
      log.info({ applicationId, kind, bookingId, state, version }, 'booking moved');
      if (change.dueInSeconds === 0) claims.wake();
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

  async function claimRound(): Promise<number | void> {
    const room = Math.min(claimAtMost, inFlightAtMost - underWay.size);
    if (room <= 0) {
      await Promise.race(underWay);
      return 0;
    }
    const { claims: due, unreadable } = await claimDueBookings(executor, room, leaseSeconds);
    for (const { error, ...booking } of unreadable) {
      log.error({ err: error, ...booking }, 'booking cannot be read; it stays as it is');
    }
    for (const claim of due) takeUp(claim);
    if (due.length + unreadable.length === room) return 0;
  }

  const claims: Loop = startLoop({ name: 'claim', everyMs: roundMs, work: claimRound, log });
  return {
    leaseSeconds: () => (stopping || underWay.size >= inFlightAtMost ? null : leaseSeconds),
    takeUp,
    wake: claims.wake,
    async stop() {
      stopping = true;
      await claims.stop();
      await Promise.all(underWay);
    },
  };
}
