import { claimDueBookings, type Claim } from '../store/booking-claims.ts';
import type { BookingChange } from '../rules/booking.ts';
import { startLoop, type Loop } from '../../platform/loop.ts';
import { inTraceOf } from '../traces.ts';
import { isTemporary, takeStep, type StepParts } from './steps.ts';

/** The log methods that the worker uses. */
export interface WorkerLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

export interface WorkerParts extends StepParts {
  log: WorkerLog;
  /** Called after events of this application were committed. */
  onEvents?: (applicationId: string) => void;
  /** Called after a booking has ended without a reservation: nights that were held for it are free. */
  onFreedNights?: () => void;
  leaseSeconds?: number;
}

/** Whether nights can have been held for a booking that has ended now. One that is sold out never had them. */
const freesNights = ({ next: { resolvedAt, reference, failureReason } }: BookingChange): boolean =>
  resolvedAt !== null && reference === null && failureReason !== 'sold_out';

/** Claims and resolves due bookings: payment setups, submitted bookings, unknown outcomes. */
export interface Worker {
  /** The lease of a booking claimed for this worker now; null: it has no free slot. */
  leaseSeconds(): number | null;
  /** Starts a booking that was claimed for this worker. */
  start(claim: Claim): void;
  /** Looks for due bookings now instead of waiting for the next round. */
  wake(): void;
  /** How many of its slots are in use. */
  slots(): { used: number; all: number };
  /** Claims no more bookings and waits for the running steps. */
  stop(): Promise<void>;
}

const roundMs = 1_000;
const inFlightAtMost = 64;
const claimAtMost = 32;
const defaultLeaseSeconds = 15;
// The rest of the lease is for the database.
const askingShare = 2 / 3;

const stepName = ({ booking }: Claim): string => `booking ${booking.state}`;

/** Starts the worker of this process. Any number of processes may run one. */
export function startWorker(parts: WorkerParts): Worker {
  const { executor, log } = parts;
  const leaseSeconds = parts.leaseSeconds ?? defaultLeaseSeconds;
  const running = new Set<Promise<void>>();
  let stopping = false;

  async function step(claim: Claim): Promise<void> {
    const { applicationId, kind, bookingId } = claim.booking;
    try {
      const change = await inTraceOf(executor, claim.booking, stepName(claim), 'internal', () =>
        takeStep(parts, claim, leaseSeconds * 1_000 * askingShare),
      );
      if (!change) return;
      const { state, version } = change.next;
      log.info({ applicationId, kind, bookingId, state, version }, 'booking moved');
      if (change.dueInSeconds === 0) claims.wake();
      if (freesNights(change)) parts.onFreedNights?.();
      if (change.events.length > 0) parts.onEvents?.(applicationId);
    } catch (error) {
      const report = isTemporary(error) ? 'warn' : 'error';
      log[report](
        { err: error, applicationId, kind, bookingId },
        'step failed; retried when the lease ends',
      );
    }
  }

  function start(claim: Claim): void {
    const started = step(claim).finally(() => running.delete(started));
    running.add(started);
  }

  async function claimRound(): Promise<number | void> {
    const slots = Math.min(claimAtMost, inFlightAtMost - running.size);
    if (slots <= 0) {
      await Promise.race(running);
      return 0;
    }
    const { claims: due, unreadable } = await claimDueBookings(executor, slots, leaseSeconds);
    for (const { error, ...booking } of unreadable) {
      log.error({ err: error, ...booking }, 'booking cannot be read; skipped');
    }
    for (const claim of due) start(claim);
    if (due.length + unreadable.length === slots) return 0;
  }

  const claims: Loop = startLoop({ name: 'claim', everyMs: roundMs, work: claimRound, log });
  return {
    leaseSeconds: () => (stopping || running.size >= inFlightAtMost ? null : leaseSeconds),
    start,
    wake: claims.wake,
    slots: () => ({ used: running.size, all: inFlightAtMost }),
    async stop() {
      stopping = true;
      await claims.stop();
      await Promise.all(running);
    },
  };
}
