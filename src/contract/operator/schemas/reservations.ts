import type { TSchema } from 'typebox';
import * as Type from '../../type.ts';
import { limits } from '../../limits.ts';
import { Party, PartyInput, Policy } from '../../partner/schemas/primitives.ts';
import { ReservationChange } from '../../partner/schemas/event.ts';
import { GuestInput } from '../../partner/schemas/checkout.ts';
import { Charges, Terms } from '../../partner/schemas/quote.ts';
import {
  CheckoutState,
  Materialization,
  ReservationRequestState,
  ReservationState,
  Settlement,
} from '../../partner/schemas/states.ts';
import { BookingKind } from '../../portal/schemas/bookings.ts';
import { patterns } from '../../patterns.ts';
import { operatorLimits } from '../limits.ts';
import {
  Balances,
  EventToSend,
  expectedBalance,
  expectedVersion,
  HistoryItem,
  NamedHome,
  openBefore,
  pageQuery,
  PageOf,
  PaymentOfReservation,
  reasonInput,
} from './shared.ts';

const listingInput = (description: string) => Type.GivenText(limits.nameLength, description);

export const ReservationsQuery = Type.RequestObject({
  ...Type.AllOptional({
    reference: Type.GivenText(100, 'Only this reservation.'),
    guestOf: Type.GivenText(
      100,
      'Only reservations of the guest of this reservation, by the email address. `guest find` looks for an address: it is in a body, because addresses of calls are logged by proxies.',
    ),
    partnerReference: Type.GivenText(
      limits.partnerReferenceLength,
      'Only reservations with this reference of a partner.',
    ),
    applicationId: Type.UuidInput('Only reservations of this application.'),
    state: Type.Described(Type.KnownValue(ReservationState), 'Only reservations in this state.'),
    listing: listingInput('Only reservations of this home, by its slug or ID.'),
    recordsRefused: Type.Flag(
      'Only reservations whose last attempt to reach your records failed, of the 10,000 that are due first.',
    ),
    from: Type.KeptDate('The first day of arrival.'),
    to: Type.KeptDate('The last day of arrival.'),
  }),
  ...pageQuery,
});

const ListedReservation = Type.ResponseObject('ListedReservation', {
  reference: Type.String(),
  state: ReservationState,
  applicationId: Type.Uuid('The application.'),
  application: Type.Text('Its name.'),
  listingId: Type.Uuid('The home.'),
  listing: Type.Nullable(Type.Text('Its slug; null: it no longer exists.')),
  listingName: Type.Nullable(Type.Text('Its name; null: it no longer exists.')),
  guestName: Type.Nullable(
    Type.Text('First and last name of the guest; null: removed, or it cannot be decrypted.'),
  ),
  checkIn: Type.KeptDate('Arrival.'),
  checkOut: Type.KeptDate('Departure.'),
  party: Party,
  currency: Type.String(),
  total: Type.Minor('The price.'),
  confirmedAt: Type.Instant('When it was confirmed.'),
  cancelledAt: Type.Nullable(Type.Instant('When it was cancelled.')),
});

export const StaysQuery = Type.RequestObject({
  from: Type.KeptDate('The first day.'),
  to: Type.KeptDate('The day after the last night.'),
});

export const ExportedStays = Type.ResponseObject('ExportedStays', {
  items: Type.Array(
    Type.ResponseObject('ExportedStay', {
      ...ListedReservation.properties,
      nights: Type.Integer(),
    }),
    { description: 'By day of arrival, earliest first.' },
  ),
});

export const DaySheetQuery = Type.RequestObject({
  date: Type.KeptDate('The day at the property.'),
});

const StayOfDay = Type.ResponseObject('StayOfDay', {
  reference: Type.String(),
  listing: Type.Nullable(Type.Text('The slug of the home.')),
  name: Type.Nullable(Type.Text('The name of the home.')),
  guest: Type.Nullable(Type.Text('First and last name; null: removed.')),
  phone: Type.Nullable(Type.Text('Of the guest.')),
  party: Party,
  checkIn: Type.KeptDate('Arrival.'),
  checkInFrom: Type.Nullable(Type.Text('The time from which guests may arrive.')),
  checkOut: Type.KeptDate('Departure.'),
  checkOutUntil: Type.Nullable(Type.Text('The time until which guests leave.')),
  currency: Type.String(),
  balance: Type.Nullable(
    Type.Minor('What is open. Below 0: it goes back to the guest. Null: the partner collects.'),
  ),
  notes: Type.Array(Type.String(), { description: 'Notes of staff, oldest first.' }),
});

const staysOfDay = (description: string) => Type.Array(StayOfDay, { description });

const firstOf = (description: string) =>
  Type.Object(
    {
      total: Type.Integer({ description: 'How many the whole list has.' }),
      items: Type.Array(StayOfDay),
    },
    { description },
  );

const listsOf = <List extends TSchema>(list: (description: string) => List) => ({
  date: Type.KeptDate('The day.'),
  arrivals: list('Who arrives.'),
  departures: list('Who leaves.'),
  inHouse: list('Who has arrived before and leaves later.'),
});

export const DaySheet = Type.ResponseObject(
  'DaySheet',
  'Who arrives, who leaves and who stays on a day.',
  listsOf(staysOfDay),
);

export const FirstOfDaySheet = Type.ResponseObject(
  'FirstOfDaySheet',
  `The first ${operatorLimits.firstOfDaySheet} stays of each list of a day sheet.`,
  listsOf(firstOf),
);

export const ReservationsPage = PageOf(
  ListedReservation,
  'ReservationsPage',
  'Reservations by day of arrival, earliest first.',
);

const stay = {
  listingId: Type.Uuid('The home.'),
  checkIn: Type.KeptDate('Arrival.'),
  checkOut: Type.KeptDate('Departure.'),
  nights: Type.Integer(),
  party: Party,
};

const stayAtHome = {
  ...stay,
  listing: Type.Nullable(Type.Text('The slug of the home.')),
  listingName: Type.Nullable(Type.Text('The name of the home.')),
};

const Stay = Type.ResponseObject('StayOfReservation', 'Home, dates and guests.', stayAtHome);

const StayBefore = Type.ResponseObject('StayBefore', 'Home, dates and guests before a change.', {
  ...stayAtHome,
  version: Type.Whole('The version that the change is based on: send it as `expectedVersion`.'),
});

/** The guest as partners have sent it. */
export const GuestOfBooking = Type.ResponseObject('GuestOfBooking', {
  firstName: Type.String(),
  lastName: Type.String(),
  email: Type.String(),
  phone: Type.String(),
});

/** A booking, without its guest and charges. */
export const booking = {
  kind: BookingKind,
  state: Type.Union([CheckoutState, ReservationRequestState]),
  version: Type.Integer(),
  attemptId: Type.Uuid('Identifies the attempt for supply and card provider.'),
  partnerReference: Type.Nullable(Type.String()),
  promotionCode: Type.Nullable(Type.String()),
  createdAt: Type.Instant('When it was created.'),
  submittedAt: Type.Nullable(Type.Instant('When it was submitted.')),
  resolvedAt: Type.Nullable(Type.Instant('When its outcome was known.')),
};

/** A quote, without its terms. */
export const QuoteOfBooking = Type.ResponseObject(
  'QuoteOfBooking',
  'The quote of a booking, without its terms.',
  {
    quoteId: Type.Uuid('The quote.'),
    listingId: Type.Uuid('The home.'),
    checkIn: Type.KeptDate('Arrival.'),
    checkOut: Type.KeptDate('Departure.'),
    party: Party,
    charges: Charges,
    promotionCode: Type.Nullable(Type.Text('The promotion code that it was asked for with.')),
    expiresAt: Type.Instant('When it expires.'),
    createdAt: Type.Instant('When it was created.'),
  },
);

/** The terms that the guest has accepted. */
export const AcceptedTerms = Type.ResponseObject(
  'AcceptedTerms',
  'The terms of the stay as it is now.',
  {
    version: Type.String(),
    policies: Type.Array(Policy),
    cancellation: Terms.properties.cancellation,
    securityDeposit: Terms.properties.securityDeposit,
  },
);

const Collector = Type.Enum(['operator', 'partner'], {
  $id: 'Collector',
  description: 'Who collects the money, and pays refunds.',
});

export const ReservationInFull = Type.ResponseObject(
  'ReservationInFull',
  'A reservation with everything behind it.',
  {
    reference: Type.String(),
    version: Type.Whole('Rises with every change.'),
    state: ReservationState,
    application: Type.Object({
      applicationId: Type.Uuid('The application.'),
      name: Type.String(),
      settlement: Settlement,
    }),
    payer: Type.Nullable(
      Type.Text('The partner’s company at submit, if it pays; null: the guest’s card.'),
    ),
    listing: NamedHome,
    ...stay,
    guest: Type.Nullable(GuestOfBooking),
    charges: Charges,
    terms: AcceptedTerms,
    refund: Type.Object(
      {
        currency: Type.String(),
        collected: Type.Minor('What has been collected.'),
        dueNow: Type.Minor('What the terms refund at a cancellation now.'),
        decided: Type.Nullable(Type.Minor('The refund of the cancellation.')),
        collectedBy: Collector,
      },
      { description: 'Whoever collected the money pays the refund.' },
    ),
    balances: Type.Nullable(Balances),
    payments: Type.Array(PaymentOfReservation),
    materialization: Materialization,
    records: Type.Object(
      {
        attempts: Type.Integer(),
        nextAttemptAt: Type.Nullable(
          Type.Instant('When it is sent next; null: the records have it.'),
        ),
        problem: Type.Nullable(Type.Text('Why the last attempt failed.')),
      },
      { description: 'The state of its transfer to your records.' },
    ),
    announced: Type.Nullable(
      Type.Object({
        change: Type.Enum(['cancelled', 'moved_one_day']),
        at: Type.Instant('When it takes effect.'),
      }),
    ),
    confirmedAt: Type.Instant('When it was confirmed.'),
    cancelledAt: Type.Nullable(Type.Instant('When it was cancelled.')),
    updatedAt: Type.Instant('When it last changed.'),
    booking: Type.Object({ ...booking, id: Type.Uuid('The checkout or request.') }),
    quote: QuoteOfBooking,
    history: Type.Array(HistoryItem),
  },
);

const cancellationInput = {
  ...reasonInput,
  refund: Type.Optional(
    Type.Union(
      [Type.Enum(['policy', 'none'], { $id: 'RefundRule' }), Type.Integer({ minimum: 0 })],
      {
        description:
          'What the terms refund now (`policy`, the default), nothing, or an amount in minor units.',
      },
    ),
  ),
  ...expectedVersion,
  ...expectedBalance,
};

export const CancelReservation = Type.RequestObject('CancelReservation', cancellationInput);

export const Cancellation = Type.ResponseObject(
  'Cancellation',
  'A cancellation, done or as a preview.',
  {
    dryRun: Type.Flag('Nothing was changed.'),
    reference: Type.String(),
    state: ReservationState,
    version: Type.Integer(),
    ...stay,
    refund: Type.Object({
      currency: Type.String(),
      amount: Type.Nullable(Type.Minor('What is refunded.')),
      byTerms: Type.Minor('What the terms refund now.'),
      collected: Type.Minor('What has been collected.'),
      paidBy: Collector,
    }),
    balances: Type.Nullable(Balances),
    ...openBefore,
    cancelledAt: Type.Instant('When it was cancelled.'),
    events: Type.Array(EventToSend),
  },
);

export const AddNote = Type.RequestObject('AddNote', 'A note about a reservation.', {
  text: Type.GivenText(
    operatorLimits.noteLength,
    'For staff only: partners never see it. It is stored encrypted.',
    patterns.lines,
  ),
});

export const Note = Type.ResponseObject('Note', 'A note of staff about a reservation.', {
  noteId: Type.Uuid('The note.'),
  reference: Type.Text('The reservation.'),
  author: Type.Text('Who wrote it.'),
  text: Type.String(),
  at: Type.Instant('When it was written.'),
});

const partyMember = ({ min, max }: { min: number; max: number }, who: string) =>
  Type.Optional(Type.WholeFrom(min, max, `The new number of ${who}.`));

const changeInput = {
  ...reasonInput,
  ...Type.AllOptional({
    checkIn: Type.KeptDate('The new day of arrival.'),
    checkOut: Type.KeptDate('The new day of departure.'),
    party: Type.Object(
      {
        adults: partyMember(limits.adults, 'adults'),
        children: partyMember(limits.otherGuests, 'children'),
        infants: partyMember(limits.otherGuests, 'infants'),
        pets: partyMember(limits.otherGuests, 'pets'),
        childAges: Type.Optional(
          Type.Array(Type.Integer({ minimum: 0, maximum: 17 }), {
            maxItems: limits.otherGuests.max,
            description:
              'The age of each child at check-in: exactly one for each child. Another number of children without ages removes them.',
          }),
        ),
      },
      { additionalProperties: false, description: 'Absent members stay as they are.' },
    ),
    listing: listingInput('The new home, by its slug or ID.'),
    price: Type.Enum(['keep', 'recalculate'], {
      $id: 'PriceRule',
      description: 'Keep the price (the default), or take the price of the current rates.',
    }),
  }),
  ...expectedVersion,
  ...expectedBalance,
};

export const ChangeReservation = Type.RequestObject('ChangeReservation', changeInput);

export const CreateReservation = Type.RequestObject('CreateReservation', {
  listing: listingInput('The home, by its slug or ID.'),
  checkIn: Type.KeptDate('Arrival.'),
  checkOut: Type.KeptDate('Departure.'),
  party: PartyInput,
  guest: GuestInput,
  ...Type.AllOptional({
    promotionCode: Type.GivenText(64, 'A promotion code.'),
    expectedTotal: Type.AtLeast(
      0,
      'The total that you have seen, in minor units; another one is refused.',
    ),
    ignoreRules: Type.Flag('Set the rules for stays and parties aside. Taken nights stay taken.'),
    pay: Type.Enum(['link', 'outside', 'property'], {
      $id: 'PaidHow',
      description:
        'How the guest pays: by a payment link for what is due now, in another way that you record (`outside`, the default), or at the property.',
    }),
  }),
  ...reasonInput,
});

export const CreatedReservation = Type.ResponseObject(
  'CreatedReservation',
  'A reservation of staff, made or as a preview.',
  {
    reference: Type.Nullable(Type.Text('Null: this is a preview.')),
    currency: Type.String(),
    total: Type.Minor('The price.'),
    dueNow: Type.Minor('What is due now.'),
    schedule: Charges.properties.schedule,
    lines: Charges.properties.lines,
    url: Type.Nullable(Type.Text('The payment link; null: none was asked for, or it failed.')),
  },
);

const TakenNights = Type.ResponseObject('TakenNights', {
  kind: Type.Enum(['held', 'confirmed', 'block']),
  from: Type.KeptDate('The first night.'),
  to: Type.KeptDate('The day after the last night.'),
  attemptId: Type.Optional(Type.Uuid('The attempt of the booking that has them.')),
  blockId: Type.Optional(Type.Uuid('The block that has them.')),
  source: Type.Optional(Type.Text('Where the block comes from.')),
  reference: Type.Optional(Type.Text('The reservation that has them.')),
  reason: Type.Optional(Type.Nullable(Type.Text('The reason of the block.'))),
});

export const Availability = (whenNull: string) =>
  Type.Nullable(
    Type.Object(
      { isFree: Type.Boolean(), taken: Type.Array(TakenNights) },
      { description: `Null: ${whenNull}.` },
    ),
  );

const memberOf = (limit: { min: number; max: number }, who: string) =>
  Type.Optional(Type.WholeFrom(limit.min, limit.max, `${who}. Absent: as now.`));

export const FreeHomesQuery = Type.RequestObject({
  checkIn: Type.Optional(Type.KeptDate('Arrival. Absent: as now.')),
  checkOut: Type.Optional(Type.KeptDate('Departure. Absent: as now.')),
  adults: memberOf(limits.adults, 'Adults'),
  children: memberOf(limits.otherGuests, 'Children'),
  infants: memberOf(limits.otherGuests, 'Infants'),
  pets: memberOf(limits.otherGuests, 'Pets'),
});

const BrokenRules = (description: string) =>
  Type.Array(Type.Object({ rule: Type.String(), message: Type.String() }), { description });

export const FreeHomes = Type.ResponseObject('FreeHomes', 'Where a reservation could move.', {
  currency: Type.Text('Of the reservation.'),
  total: Type.Minor('What the reservation costs now.'),
  free: Type.Whole('How many homes with room for the party are free.'),
  items: Type.Array(
    Type.ResponseObject('FreeHome', {
      listingId: Type.Uuid('The home.'),
      listing: Type.Text('Its slug.'),
      name: Type.Text('Its name.'),
      destination: Type.Nullable(Type.String()),
      sleeps: Type.Nullable(Type.Integer()),
      bedrooms: Type.Nullable(Type.Number()),
      currency: Type.String(),
      total: Type.Minor('What the stay costs there, by current rates.'),
      difference: Type.Minor('Above 0: it costs more there.'),
      warnings: BrokenRules('Rules of that home that the stay breaks.'),
    }),
    {
      description: `At most ${operatorLimits.freeHomes}: those whose rules the stay keeps first, then those of the same collection and place.`,
    },
  ),
});

export const Change = Type.ResponseObject('Change', 'A change, done or as a preview.', {
  dryRun: Type.Flag('Nothing was changed.'),
  reference: Type.String(),
  state: ReservationState,
  version: Type.Integer(),
  changes: Type.Array(ReservationChange),
  before: StayBefore,
  after: Stay,
  price: Type.Object({
    currency: Type.String(),
    before: Type.Minor('The total before.'),
    after: Type.Minor('The total after.'),
    difference: Type.Minor('Above 0: more is due.'),
    collected: Type.Minor('What has been collected.'),
    overpaid: Type.Minor(
      'The collected amount above what is due now. Whoever collected it, you or the partner, refunds it.',
    ),
  }),
  chargesBefore: Charges,
  charges: Charges,
  ...openBefore,
  cancellation: Type.Nullable(Terms.properties.cancellation),
  availability: Availability('no nights move'),
  warnings: Type.Array(Type.Object({ rule: Type.String(), message: Type.String() }), {
    description: 'Rules of the home that the stay breaks. You decide whether it matters.',
  }),
  events: Type.Array(EventToSend),
});
