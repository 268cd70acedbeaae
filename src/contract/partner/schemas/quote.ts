import * as Type from '../../type.ts';
import { limits } from '../../limits.ts';
import { patterns } from '../../patterns.ts';
import { Party, PartyInput, Policy } from './primitives.ts';

const ChargeKind = Type.OpenEnum(
  ['accommodation', 'discount', 'promotion', 'cleaning', 'fee', 'tax'],
  'ChargeKind',
  'What a line of the charges is for. New values may appear within a wire version: show the line with its label.',
);

const Percentage = (description: string) =>
  Type.Number({ minimum: 0, description: `${description} At most four decimals.` });

const ScheduledPayment = Type.ResponseObject(
  'ScheduledPayment',
  'A part of the total, and when it is due.',
  {
    dueOn: Type.CalendarDate('The due date.'),
    amount: Type.Minor('The amount due.'),
    at: Type.Optional(
      Type.OpenEnum(
        ['property'],
        'PaidAt',
        'Where it is paid. `property`: by the guest at the property on the day of arrival; it is never collected before. Absent: in the ordinary way.',
      ),
    ),
  },
);

const ChargeLine = Type.ResponseObject('ChargeLine', 'A line of the charges.', {
  kind: ChargeKind,
  label: Type.String(),
  amount: Type.Minor('Negative for discounts and promotions.'),
  percent: Type.Optional(Percentage('Only of a percentage: positive, also of discounts.')),
  base: Type.Optional(
    Type.Minor('What `percent` is of. Only of a percentage without a cap or steps.'),
  ),
});

const IncludedTax = Type.ResponseObject('IncludedTax', 'A tax that the prices contain.', {
  label: Type.String(),
  amount: Type.Minor('The part of the prices that is this tax.'),
  percent: Percentage('Its percentage.'),
  base: Type.Minor('The prices that contain it, without it.'),
});

const NightCharge = Type.ResponseObject('NightCharge', 'The price of one night.', {
  date: Type.CalendarDate('The night that begins on this date.'),
  amount: Type.Minor('Before discounts.'),
});

const CancellationStep = Type.ResponseObject(
  'CancellationStep',
  'What a cancellation before an instant refunds.',
  {
    before: Type.Instant('A cancellation before this instant …'),
    refundAmount: Type.Minor('… refunds this part of the amount collected by then.'),
  },
);

/** All amounts are integers in the minor unit of `currency`. Spec: PRICE-1. */
export const Charges = Type.ResponseObject(
  'Charges',
  'The price of the stay, in minor units, taxes included.',
  {
    currency: Type.Text('ISO 4217.'),
    accommodation: Type.Minor('Accommodation after length-of-stay discounts and promotion.'),
    fees: Type.Minor('All fees, cleaning included.'),
    cleaning: Type.Minor('The part of `fees` that is cleaning.'),
    taxes: Type.Minor('All taxes that are added to the prices.'),
    includedTaxes: Type.Optional(
      Type.Array(IncludedTax, {
        description:
          'Taxes that the prices contain, to be shown on an invoice. They are no part of `taxes` and add nothing to `total`. Absent in bookings made before they were told.',
      }),
    ),
    total: Type.Minor('`accommodation` + `fees` + `taxes`.'),
    dueNow: Type.Minor(
      'The amount due on the day of booking; the whole total if the balance is due by then.',
    ),
    schedule: Type.Array(ScheduledPayment, {
      description:
        'When the total is collected, by date. The amounts add up to `total`. A first payment that is due today equals `dueNow`. What is paid at the property is the last entry.',
    }),
    lines: Type.Array(ChargeLine, {
      description:
        'The lines add up to `total`. Lines of kind `accommodation`, `discount` and `promotion` add up to the member `accommodation`. Each line is rounded once, half away from zero.',
    }),
    nights: Type.Array(NightCharge, {
      description: 'The nights add up to the line of kind `accommodation`.',
    }),
  },
);
export type Charges = Type.Static<typeof Charges>;

const SecurityDeposit = Type.ResponseObject(
  'SecurityDeposit',
  'A deposit that the operator takes and returns. It is no part of the total, and never collected through this service.',
  {
    amount: Type.Minor('The amount.'),
    currency: Type.Text('ISO 4217.'),
    dueOn: Type.CalendarDate('The day at the property on which it is due.'),
    returnedBy: Type.CalendarDate('The day at the property until which it is returned.'),
  },
);

export const Terms = Type.ResponseObject(
  'Terms',
  'The terms that the guest accepts before the reservation.',
  {
    version: Type.Text(
      'A digest of the policies and of the rules behind `cancellation`, but not of its instants and amounts. Two quotes with the same terms have the same version. Send it as `termsVersion`.',
    ),
    policies: Type.Array(Policy),
    cancellation: Type.Array(CancellationStep, {
      description:
        'The cancellation policy in machine-readable form. The first entry whose instant has not passed gives the refund. It lists only instants after the quote was created. A promotion changes the refunds together with the charges. Empty: no refund.',
    }),
    securityDeposit: Type.Nullable(SecurityDeposit),
  },
);
export type Terms = Type.Static<typeof Terms>;

/** A promotion code as a guest types it. */
export const PromotionCodeInput = Type.GivenText(
  limits.promotionCodeLength,
  'The code as the guest entered it: case does not matter, nor do spaces around it.',
  patterns.promotionCode,
);

export const CreateQuote = Type.RequestObject(
  'CreateQuote',
  `Get the exact price and terms of a stay of ${limits.nightsPerStay.min} to ${limits.nightsPerStay.max} nights. Arrival is between today (at the property) and ${limits.bookingHorizonDays} days later.`,
  {
    quoteId: Type.Optional(
      Type.UuidInput('Your ID for the quote (preferably UUIDv7). Or send `Idempotency-Key`.'),
    ),
    listingId: Type.UuidInput('The home.'),
    checkIn: Type.CalendarDate('Arrival.'),
    checkOut: Type.CalendarDate('Departure.'),
    party: PartyInput,
    promotionCode: Type.Optional(PromotionCodeInput),
  },
);
export type CreateQuote = Type.Static<typeof CreateQuote>;

/** Spec: QUOTE-1. */
export const Quote = Type.ResponseObject(
  'Quote',
  'Exact price and terms of one stay. It does not hold the nights, and it can be used for only one checkout or reservation request.',
  {
    quoteId: Type.Uuid('The ID that the client chose.'),
    listingId: Type.Uuid('The home.'),
    checkIn: Type.CalendarDate('Arrival.'),
    checkOut: Type.CalendarDate('Departure.'),
    party: Party,
    charges: Charges,
    terms: Terms,
    promotionCode: Type.Nullable(Type.Text('The promotion code whose discount is in `charges`.')),
    expiresAt: Type.Instant(
      `When the quote expires: ${limits.quoteMinutes} minutes after its creation.`,
    ),
    createdAt: Type.Instant('When it was created.'),
  },
);
export type Quote = Type.Static<typeof Quote>;
