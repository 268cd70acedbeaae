import * as Type from '../../type.ts';
import { limits } from '../../limits.ts';
import { patterns } from '../../patterns.ts';
import { Consent } from './search.ts';

/** The names of signals, and the join that each needs. Spec: SIGNAL-2. */
export const signalJoins = {
  search_submitted: null,
  search_viewed: 'searchObservationId',
  listing_viewed: 'listingId',
  quote_viewed: 'quoteId',
  reserve_clicked: 'quoteId',
  checkout_started: 'checkoutId',
  details_completed: 'checkoutId',
  payment_submitted: 'checkoutId',
  confirmation_viewed: 'checkoutId',
} as const;
export type SignalName = keyof typeof signalJoins;

/** Spec: SIGNAL-1. */
export const routeFamilies = ['home', 'search', 'listing', 'checkout', 'confirmation'] as const;

export const CaptureSignal = Type.RequestObject(
  'CaptureSignal',
  'An action of a guest, with the ID that its name needs.',
  {
    signalId: Type.Optional(Type.UuidInput('Your ID for the signal. Or send `Idempotency-Key`.')),
    name: Type.Enum(Object.keys(signalJoins) as SignalName[]),
    routeFamily: Type.Enum([...routeFamilies]),
    ...Type.AllOptional({
      occurredAt: Type.Instant(
        `When it happened: within the last ${limits.signalPastHours} hours and at most ${limits.signalFutureMinutes} minutes in the future.`,
      ),
      referrerOrigin: Type.String({
        maxLength: limits.opaqueLength,
        pattern: patterns.origin.pattern,
        description: 'Only the origin, without path and query.',
      }),
      deviceClass: Type.Enum(['desktop', 'mobile', 'tablet', 'unknown']),
      correlationId: Type.UuidInput('Links the signals of one visit.'),
      consent: Consent,
      searchObservationId: Type.UuidInput(
        'For `search_viewed`: the value from the response of the search.',
      ),
      listingId: Type.UuidInput('For `listing_viewed`.'),
      quoteId: Type.UuidInput('For `quote_viewed` and `reserve_clicked`.'),
      checkoutId: Type.UuidInput(
        'For the signals of a checkout, together with its `Session-Capability`.',
      ),
    }),
  },
);
export type CaptureSignal = Type.Static<typeof CaptureSignal>;

export const CapturedSignal = Type.ResponseObject(
  'CapturedSignal',
  'The signal was received. This confirms nothing else.',
  { signalId: Type.Uuid('The ID that the client chose.'), accepted: Type.Literal(true) },
);
