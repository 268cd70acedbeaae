import type { InvalidField } from '../contract/errors.ts';
import { limits } from '../contract/limits.ts';
import { patterns } from '../contract/patterns.ts';
import {
  signalJoins,
  type CaptureSignal,
  type SignalName,
} from '../contract/partner/schemas/signal.ts';
import type { CheckoutState } from '../contract/states.ts';
import type { StoredSignal } from './store/signals.ts';
import type { Checkout } from '../bookings/index.ts';
import type { EpochMs } from '../contract/time.ts';
import type { Join } from './join.ts';

const joinMembers = ['searchObservationId', 'listingId', 'quoteId', 'checkoutId'] as const;

function joinRefusal(signal: CaptureSignal): InvalidField[] {
  const wanted = signalJoins[signal.name];
  return joinMembers.flatMap((member) => {
    const given = signal[member] !== undefined;
    if (given === (member === wanted)) return [];
    const message = given ? `does not belong to ${signal.name}` : `is required for ${signal.name}`;
    return [{ path: `/${member}`, message }];
  });
}

function timeRefusal({ occurredAt }: CaptureSignal, now: EpochMs): InvalidField[] {
  if (occurredAt === undefined) return [];
  const at = Date.parse(occurredAt);
  const earliest = now - limits.signalPastHours * 3_600_000;
  const latest = now + limits.signalFutureMinutes * 60_000;
  if (at >= earliest && at <= latest) return [];
  const message = `must lie within the last ${limits.signalPastHours} hours and at most ${limits.signalFutureMinutes} minutes ahead`;
  return [{ path: '/occurredAt', message }];
}

/** The pattern accepts invalid IPv4 addresses; the URL parser refuses them. */
function originRefusal({ referrerOrigin }: CaptureSignal): InvalidField[] {
  if (referrerOrigin === undefined || URL.canParse(referrerOrigin)) return [];
  return [{ path: '/referrerOrigin', message: patterns.origin.message }];
}

/**
 * The canonical content of a signal; an instant can be written with any offset. Two signals with the same
 * ID are repeats if this is equal. Spec: REPEAT-3.
 */
export function signalMeaning({ signalId: _, ...signal }: CaptureSignal) {
  const at = Date.parse(signal.occurredAt ?? '');
  return Number.isNaN(at) ? signal : { ...signal, occurredAt: new Date(at).toISOString() };
}

/** The problems of a signal that its schema cannot express. Spec: SIGNAL-3. */
export const signalRefusal = (signal: CaptureSignal, now: EpochMs): InvalidField[] => [
  ...joinRefusal(signal),
  ...timeRefusal(signal, now),
  ...originRefusal(signal),
];

const submitted: ReadonlySet<CheckoutState> = new Set(['pending', 'uncertain', 'confirmed']);

/** Conditions on the checkout that a signal is about. Spec: SIGNAL-5. */
const requiredState: Readonly<Partial<Record<SignalName, (checkout: Checkout) => boolean>>> = {
  details_completed: ({ guest }) => guest !== null,
  payment_submitted: ({ state }) => submitted.has(state),
  confirmation_viewed: ({ state }) => state === 'confirmed',
};

/** Whether the checkout's state agrees with the signal. */
export const stateAgreesWith = (name: SignalName, checkout: Checkout): boolean =>
  requiredState[name]?.(checkout) ?? true;

type Intake = Omit<StoredSignal, 'applicationId' | 'signalId'>;

/** The stored part of a signal: without consent, nothing about the person. Spec: SIGNAL-4. */
export function intakeOf(signal: CaptureSignal, join: Join): Intake {
  const { name, routeFamily, occurredAt, consent, referrerOrigin, deviceClass, correlationId } =
    signal;
  const { searchObservationId, listingId, quoteId, checkout } = join;
  const checkoutId = checkout?.checkout.bookingId;
  return {
    name,
    routeFamily,
    ...(occurredAt !== undefined && { occurredAt: new Date(occurredAt).toISOString() }),
    ...(consent !== undefined && { consent }),
    ...(consent === 'not_required' && {
      ...(referrerOrigin !== undefined && { referrerOrigin }),
      ...(deviceClass !== undefined && { deviceClass }),
      ...(correlationId !== undefined && { correlationId }),
    }),
    ...(searchObservationId !== undefined && { searchObservationId }),
    ...(listingId !== undefined && { listingId }),
    ...(quoteId !== undefined && { quoteId }),
    ...(checkoutId !== undefined && { checkoutId }),
  };
}
