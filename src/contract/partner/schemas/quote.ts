import Type from 'typebox';
import { limits } from '../../limits.ts';
import {
  responseOptions,
  CalendarDate,
  Instant,
  Minor,
  Party,
  PartyInput,
  Policy,
  requestOptions,
  Uuid,
  UuidInput,
} from './primitives.ts';

const chargeKinds = ['accommodation', 'discount', 'promotion', 'cleaning', 'fee', 'tax'] as const;

/** All amounts are integers in the minor unit of `currency`. Spec: Conventions, 4 and 5. */
export const Charges = Type.Object(
  {
    currency: Type.String({ description: 'ISO 4217.' }),
    accommodation: Minor('After length-of-stay discounts and promotion.'),
    fees: Minor('Every fee, cleaning included.'),
    cleaning: Minor('The part of `fees` that is cleaning.'),
    taxes: Minor('All taxes.'),
    total: Minor('`accommodation` + `fees` + `taxes`.'),
    dueNow: Minor('What falls due on the day of booking; all of it once the balance is due too.'),
    schedule: Type.Array(
      Type.Object({ dueOn: CalendarDate('When it falls due.'), amount: Minor('What falls due.') }),
      {
        description:
          'When the total is collected, in order; adds up to `total`. A first payment that falls due today is `dueNow`.',
      },
    ),
    lines: Type.Array(
      Type.Object({
        kind: Type.Enum([...chargeKinds]),
        label: Type.String(),
        amount: Minor('Negative for discounts and promotions.'),
      }),
      {
        description:
          'Add up to `total`. Those of kind `accommodation`, `discount` and `promotion` make the member `accommodation`; each is rounded once, halves away from zero.',
      },
    ),
    nights: Type.Array(
      Type.Object({
        date: CalendarDate('The night that begins on this date.'),
        amount: Minor('Before discounts.'),
      }),
      { description: 'Add up to the line of kind `accommodation`.' },
    ),
  },
  responseOptions('Charges', 'What the stay costs, in minor units, taxes included.'),
);
export type Charges = Type.Static<typeof Charges>;

export const Terms = Type.Object(
  {
    version: Type.String({
      description:
        'A digest of the policies and of the rules behind `cancellation`, not of its instants and amounts: two quotes with the same terms have the same version. Send it as `termsVersion`.',
    }),
    policies: Type.Array(Policy),
    cancellation: Type.Array(
      Type.Object({
        before: Instant('Cancelled before this instant …'),
        refundAmount: Minor('… this much of what has been collected by then is refunded.'),
      }),
      {
        description:
          'The cancellation policy for machines: the first entry whose instant has not passed gives the refund. It lists only instants after the quote was made. A promotion changes the refunds with the charges. Empty: nothing is refunded.',
      },
    ),
  },
  responseOptions('Terms', 'What the guest accepts before the stay is reserved.'),
);
export type Terms = Type.Static<typeof Terms>;

export const CreateQuote = Type.Object(
  {
    quoteId: Type.Optional(
      UuidInput('Your name for the quote (UUIDv7 is best). Or send `Idempotency-Key`.'),
    ),
    listingId: UuidInput('The home.'),
    checkIn: CalendarDate('Arrival.'),
    checkOut: CalendarDate('Departure.'),
    party: PartyInput,
  },
  requestOptions(
    'CreateQuote',
    `Ask for the exact price and terms of a stay of ${limits.nightsPerStay.min} to ${limits.nightsPerStay.max} nights that begins between today at the property and ${limits.bookingHorizonDays} days from then.`,
  ),
);
export type CreateQuote = Type.Static<typeof CreateQuote>;

/** Spec: Resources, Quote. */
export const Quote = Type.Object(
  {
    quoteId: Uuid('As the client named it.'),
    listingId: Uuid('The home.'),
    checkIn: CalendarDate('Arrival.'),
    checkOut: CalendarDate('Departure.'),
    party: Party,
    charges: Charges,
    terms: Terms,
    expiresAt: Instant(
      `Until then it can be turned into a reservation: ${limits.quoteMinutes} minutes.`,
    ),
    createdAt: Instant('When it was made.'),
  },
  responseOptions(
    'Quote',
    'Exact price and terms of one stay. It does not hold the nights, and it backs one checkout or one reservation request, never two.',
  ),
);
export type Quote = Type.Static<typeof Quote>;
