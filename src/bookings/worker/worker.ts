import type { Log } from '../../platform/log.ts';
import { claimDueBookings, type Claim } from '../store/booking-claims.ts';
import type { Booking, BookingChange } from '../rules/booking.ts';
import { startClaiming } from '../../platform/claims.ts';
import { inTraceOf } from '../traces.ts';
import { isTemporary, takeStep, type StepContext } from './steps.ts';

export interface WorkerContext extends StepContext {
  log: Log;
  /** Called after events of this application were committed. */
  onEvents?: (applicationId: string) => void;
  /** Called after a booking has ended without a reservation: nights that were held for it are free. */
  onFreedNights?: () => void;
  leaseSeconds?: number;
}

/** Whether a booking that has ended now may have held nights. One that failed as sold out never held any. */
const freesNights = ({ next: { resolvedAt, reference, failureReason } }: BookingChange): boolean =>
  resolvedAt !== null && reference === null && failureReason !== 'sold_out';

/** Claims and resolves due bookings: payment setups, submitted bookings, unknown outcomes. */
export interface Worker {
  /** The lease of a booking claimed for this worker now; null: it has no free slot. */
  leaseSeconds(): number | null;
  /** Starts a booking that was claimed for this worker. */
  start(claim: Claim): void;
  /** The end of the step that it is taking for a booking; undefined: it is taking none. Never rejects. */
  stepOf(booking: BookingId): Promise<void> | undefined;
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

/** The ID of a booking is its application's. */
type BookingId = Pick<Booking, 'applicationId' | 'bookingId'>;

const keyOf = ({ applicationId, bookingId }: BookingId): string => `${applicationId} ${bookingId}`;

const stepName = ({ booking }: Claim): string => `booking ${booking.state}`;

/** Starts the worker of this process. Any number of processes may run one. */
export function startWorker(context: WorkerContext): Worker {
  const { executor, log } = context;
  const leaseSeconds = context.leaseSeconds ?? defaultLeaseSeconds;
  let stopping = false;
  const steps = new Map<string, Promise<void>>();

  async function step(claim: Claim): Promise<void> {
    const { applicationId, kind, bookingId } = claim.booking;
    try {
      const change = await inTraceOf(executor, claim.booking, stepName(claim), 'internal', () =>
        takeStep(context, claim, leaseSeconds * 1_000 * askingShare),
      );
      if (!change) return;
      const { state, version } = change.next;
      log.info({ applicationId, kind, bookingId, state, version }, 'booking moved');
      if (change.dueInSeconds === 0) claiming.wake();
      if (freesNights(change)) context.onFreedNights?.();
      if (change.events.length > 0) context.onEvents?.(applicationId);
    } catch (error) {
      const members = { err: error, applicationId, kind, bookingId };
      if (isTemporary(error)) log.warn(members, 'step failed; retried when the lease ends');
      else log.error(members, 'step failed; retried when the lease ends');
    }
  }

  function process(claim: Claim): Promise<void> {
    const key = keyOf(claim.booking);
    const taken = step(claim).finally(() => {
      if (steps.get(key) === taken) steps.delete(key);
    });
    steps.set(key, taken);
    return taken;
  }

  const claiming = startClaiming<Claim>({
    name: 'claim',
    everyMs: roundMs,
    inFlightAtMost,
    claimAtMost,
    async claim(atMost) {
      const { claims, unreadable } = await claimDueBookings(executor, atMost, leaseSeconds);
      for (const { error, ...booking } of unreadable) {
        log.error({ err: error, ...booking }, 'booking cannot be read; skipped');
      }
      return { claims, claimed: claims.length + unreadable.length };
    },
    process,
    log,
  });
  const isFull = (): boolean => claiming.inFlight() >= inFlightAtMost;
  return {
    leaseSeconds: () => (stopping || isFull() ? null : leaseSeconds),
    start: claiming.start,
    stepOf: (booking) => steps.get(keyOf(booking)),
    wake: claiming.wake,
    slots: () => ({ used: claiming.inFlight(), all: inFlightAtMost }),
    async stop() {
      stopping = true;
      await claiming.stop();
    },
  };
}
