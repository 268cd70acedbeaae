import Type from 'typebox';
import { limits } from '../../limits.ts';
import { patterns } from '../../patterns.ts';
import { responseOptions, Instant, requestOptions, Uuid, UuidInput } from './primitives.ts';
import { Consent } from './search.ts';

/** What a signal can be about, and the join that each calls for. Spec: Signal rules, table. */
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

/** Spec: Signal rules, 4. */
export const routeFamilies = ['home', 'search', 'listing', 'checkout', 'confirmation'] as const;

export const CaptureSignal = Type.Object(
  {
    signalId: Type.Optional(UuidInput('Your name for the signal. Or send `Idempotency-Key`.')),
    name: Type.Enum(Object.keys(signalJoins) as SignalName[]),
    routeFamily: Type.Enum([...routeFamilies]),
    occurredAt: Type.Optional(
      Instant(
        `When it happened: within the last ${limits.signalPastHours} hours, up to ${limits.signalFutureMinutes} minutes ahead.`,
      ),
    ),
    referrerOrigin: Type.Optional(
      Type.String({
        maxLength: limits.opaqueLength,
        pattern: patterns.origin.pattern,
        description: 'Origin only: no path, no query.',
      }),
    ),
    deviceClass: Type.Optional(Type.Enum(['desktop', 'mobile', 'tablet', 'unknown'])),
    correlationId: Type.Optional(UuidInput('Ties the signals of one visit together.')),
    consent: Type.Optional(Consent),
    searchObservationId: Type.Optional(UuidInput('For `search_viewed`, from the search shown.')),
    listingId: Type.Optional(UuidInput('For `listing_viewed`.')),
    quoteId: Type.Optional(UuidInput('For `quote_viewed` and `reserve_clicked`.')),
    checkoutId: Type.Optional(
      UuidInput('For the signals of a checkout, with its `Session-Capability`.'),
    ),
  },
  requestOptions(
    'CaptureSignal',
    'Something that a guest did, with the one join that its name calls for.',
  ),
);
export type CaptureSignal = Type.Static<typeof CaptureSignal>;

export const CapturedSignal = Type.Object(
  { signalId: Uuid('As the client named it.'), accepted: Type.Literal(true) },
  responseOptions('CapturedSignal', 'Taken in. It proves nothing else.'),
);
