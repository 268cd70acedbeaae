import Type from 'typebox';
import { limits } from '../../limits.ts';
import {
  Described,
  Flag,
  Instant,
  Integer,
  KnownValue,
  Minor,
  Nullable,
  optional,
  Party,
  PartyInput,
  Policy,
  RequestObject,
  ResponseObject,
  Text,
  Uuid,
  UuidInput,
} from '../../partner/schemas/primitives.ts';
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
  KeptDate,
} from './shared.ts';

const listingInput = (description: string) =>
  Type.String({ minLength: 1, maxLength: limits.nameLength, description });

export const ReservationsQuery = RequestObject({
  ...optional({
    reference: Type.String({ minLength: 1, maxLength: 100, description: 'Only this reservation.' }),
    guestOf: Type.String({
      minLength: 1,
      maxLength: 100,
      description:
        'Only reservations of the guest of this reservation, by the email address. `guest find` looks for an address: it is in a body, because addresses of calls are logged by proxies.',
    }),
    partnerReference: Type.String({
      minLength: 1,
      maxLength: limits.partnerReferenceLength,
      description: 'Only reservations with this reference of a partner.',
    }),
    applicationId: UuidInput('Only reservations of this application.'),
    state: Described(KnownValue(ReservationState), 'Only reservations in this state.'),
    listing: listingInput('Only reservations of this home, by its slug or ID.'),
    recordsRefused: Flag(
      'Only reservations whose last attempt to reach your records failed, of the 10,000 that are due first.',
    ),
    from: KeptDate('The first day of arrival.'),
    to: KeptDate('The last day of arrival.'),
  }),
  ...pageQuery,
});

const ListedReservation = ResponseObject('ListedReservation', {
  reference: Type.String(),
  state: ReservationState,
  applicationId: Uuid('The application.'),
  application: Text('Its name.'),
  listingId: Uuid('The home.'),
  listing: Nullable(Text('Its slug; null: it no longer exists.')),
  listingName: Nullable(Text('Its name; null: it no longer exists.')),
  guestName: Nullable(
    Text('First and last name of the guest; null: removed, or it cannot be decrypted.'),
  ),
  checkIn: KeptDate('Arrival.'),
  checkOut: KeptDate('Departure.'),
  party: Party,
  currency: Type.String(),
  total: Minor('The price.'),
  confirmedAt: Instant('When it was confirmed.'),
  cancelledAt: Nullable(Instant('When it was cancelled.')),
});

export const StaysQuery = RequestObject({
  from: KeptDate('The first day.'),
  to: KeptDate('The day after the last night.'),
});

export const ExportedStays = ResponseObject('ExportedStays', {
  items: Type.Array(
    ResponseObject('ExportedStay', { ...ListedReservation.properties, nights: Type.Integer() }),
    { description: 'By day of arrival, earliest first.' },
  ),
});

export const DaySheetQuery = RequestObject({ date: KeptDate('The day at the property.') });

const StayOfDay = ResponseObject('StayOfDay', {
  reference: Type.String(),
  listing: Nullable(Text('The slug of the home.')),
  name: Nullable(Text('The name of the home.')),
  guest: Nullable(Text('First and last name; null: removed.')),
  phone: Nullable(Text('Of the guest.')),
  party: Party,
  checkIn: KeptDate('Arrival.'),
  checkInFrom: Nullable(Text('The time from which guests may arrive.')),
  checkOut: KeptDate('Departure.'),
  checkOutUntil: Nullable(Text('The time until which guests leave.')),
  currency: Type.String(),
  balance: Nullable(
    Minor('What is open. Below 0: it goes back to the guest. Null: the partner collects.'),
  ),
  notes: Type.Array(Type.String(), { description: 'Notes of staff, oldest first.' }),
});

const staysOfDay = (description: string) => Type.Array(StayOfDay, { description });

export const DaySheet = ResponseObject(
  'DaySheet',
  'Who arrives, who leaves and who stays on a day.',
  {
    date: KeptDate('The day.'),
    arrivals: staysOfDay('Who arrives.'),
    departures: staysOfDay('Who leaves.'),
    inHouse: staysOfDay('Who has arrived before and leaves later.'),
  },
);

export const ReservationsPage = PageOf(
  ListedReservation,
  'ReservationsPage',
  'Reservations by day of arrival, earliest first.',
);

const stay = {
  listingId: Uuid('The home.'),
  checkIn: KeptDate('Arrival.'),
  checkOut: KeptDate('Departure.'),
  nights: Type.Integer(),
  party: Party,
};

const stayAtHome = {
  ...stay,
  listing: Nullable(Text('The slug of the home.')),
  listingName: Nullable(Text('The name of the home.')),
};

const Stay = ResponseObject('StayOfReservation', 'Home, dates and guests.', stayAtHome);

const StayBefore = ResponseObject('StayBefore', 'Home, dates and guests before a change.', {
  ...stayAtHome,
  version: Integer('The version that the change is based on: send it as `expectedVersion`.'),
});

/** The guest as partners have sent it. */
export const GuestOfBooking = ResponseObject('GuestOfBooking', {
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
  attemptId: Uuid('Identifies the attempt for supply and card provider.'),
  partnerReference: Nullable(Type.String()),
  promotionCode: Nullable(Type.String()),
  createdAt: Instant('When it was created.'),
  submittedAt: Nullable(Instant('When it was submitted.')),
  resolvedAt: Nullable(Instant('When its outcome was known.')),
};

/** A quote, without its terms. */
export const QuoteOfBooking = ResponseObject(
  'QuoteOfBooking',
  'The quote of a booking, without its terms.',
  {
    quoteId: Uuid('The quote.'),
    listingId: Uuid('The home.'),
    checkIn: KeptDate('Arrival.'),
    checkOut: KeptDate('Departure.'),
    party: Party,
    charges: Charges,
    promotionCode: Nullable(Text('The promotion code that it was asked for with.')),
    expiresAt: Instant('When it expires.'),
    createdAt: Instant('When it was created.'),
  },
);

/** The terms that the guest has accepted. */
export const AcceptedTerms = ResponseObject(
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

export const ReservationInFull = ResponseObject(
  'ReservationInFull',
  'A reservation with everything behind it.',
  {
    reference: Type.String(),
    version: Integer('Rises with every change.'),
    state: ReservationState,
    application: Type.Object({
      applicationId: Uuid('The application.'),
      name: Type.String(),
      settlement: Settlement,
    }),
    payer: Nullable(Text('The partner’s company at submit, if it pays; null: the guest’s card.')),
    listing: NamedHome,
    ...stay,
    guest: Nullable(GuestOfBooking),
    charges: Charges,
    terms: AcceptedTerms,
    refund: Type.Object(
      {
        currency: Type.String(),
        collected: Minor('What has been collected.'),
        dueNow: Minor('What the terms refund at a cancellation now.'),
        decided: Nullable(Minor('The refund of the cancellation.')),
        collectedBy: Collector,
      },
      { description: 'Whoever collected the money pays the refund.' },
    ),
    balances: Nullable(Balances),
    payments: Type.Array(PaymentOfReservation),
    materialization: Materialization,
    records: Type.Object(
      {
        attempts: Type.Integer(),
        nextAttemptAt: Nullable(Instant('When it is sent next; null: the records have it.')),
        problem: Nullable(Text('Why the last attempt failed.')),
      },
      { description: 'The state of its transfer to your records.' },
    ),
    announced: Nullable(
      Type.Object({
        change: Type.Enum(['cancelled', 'moved_one_day']),
        at: Instant('When it takes effect.'),
      }),
    ),
    confirmedAt: Instant('When it was confirmed.'),
    cancelledAt: Nullable(Instant('When it was cancelled.')),
    updatedAt: Instant('When it last changed.'),
    booking: Type.Object({ ...booking, id: Uuid('The checkout or request.') }),
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

export const CancelReservation = RequestObject('CancelReservation', cancellationInput);

export const Cancellation = ResponseObject(
  'Cancellation',
  'A cancellation, done or as a preview.',
  {
    dryRun: Flag('Nothing was changed.'),
    reference: Type.String(),
    state: ReservationState,
    version: Type.Integer(),
    ...stay,
    refund: Type.Object({
      currency: Type.String(),
      amount: Nullable(Minor('What is refunded.')),
      byTerms: Minor('What the terms refund now.'),
      collected: Minor('What has been collected.'),
      paidBy: Collector,
    }),
    balances: Nullable(Balances),
    ...openBefore,
    cancelledAt: Instant('When it was cancelled.'),
    events: Type.Array(EventToSend),
  },
);

export const AddNote = RequestObject('AddNote', 'A note about a reservation.', {
  text: Type.String({
    minLength: 1,
    maxLength: operatorLimits.noteLength,
    pattern: patterns.lines.pattern,
    description: 'For staff only: partners never see it. It is stored encrypted.',
  }),
});

export const Note = ResponseObject('Note', 'A note of staff about a reservation.', {
  noteId: Uuid('The note.'),
  reference: Text('The reservation.'),
  author: Text('Who wrote it.'),
  text: Type.String(),
  at: Instant('When it was written.'),
});

const partyMember = ({ min, max }: { min: number; max: number }, who: string) =>
  Type.Optional(
    Type.Integer({ minimum: min, maximum: max, description: `The new number of ${who}.` }),
  );

const changeInput = {
  ...reasonInput,
  ...optional({
    checkIn: KeptDate('The new day of arrival.'),
    checkOut: KeptDate('The new day of departure.'),
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

export const ChangeReservation = RequestObject('ChangeReservation', changeInput);

export const CreateReservation = RequestObject('CreateReservation', {
  listing: listingInput('The home, by its slug or ID.'),
  checkIn: KeptDate('Arrival.'),
  checkOut: KeptDate('Departure.'),
  party: PartyInput,
  guest: GuestInput,
  ...optional({
    promotionCode: Type.String({ minLength: 1, maxLength: 64, description: 'A promotion code.' }),
    expectedTotal: Type.Integer({
      minimum: 0,
      description: 'The total that you have seen, in minor units; another one is refused.',
    }),
    ignoreRules: Flag('Set the rules for stays and parties aside. Taken nights stay taken.'),
    pay: Type.Enum(['link', 'outside', 'property'], {
      $id: 'PaidHow',
      description:
        'How the guest pays: by a payment link for what is due now, in another way that you record (`outside`, the default), or at the property.',
    }),
  }),
  ...reasonInput,
});

export const CreatedReservation = ResponseObject(
  'CreatedReservation',
  'A reservation of staff, made or as a preview.',
  {
    reference: Nullable(Text('Null: this is a preview.')),
    currency: Type.String(),
    total: Minor('The price.'),
    dueNow: Minor('What is due now.'),
    schedule: Charges.properties.schedule,
    lines: Charges.properties.lines,
    url: Nullable(Text('The payment link; null: none was asked for, or it failed.')),
  },
);

const TakenNights = ResponseObject('TakenNights', {
  kind: Type.Enum(['held', 'confirmed', 'block']),
  from: KeptDate('The first night.'),
  to: KeptDate('The day after the last night.'),
  attemptId: Type.Optional(Uuid('The attempt of the booking that has them.')),
  blockId: Type.Optional(Uuid('The block that has them.')),
  source: Type.Optional(Text('Where the block comes from.')),
  reference: Type.Optional(Text('The reservation that has them.')),
  reason: Type.Optional(Nullable(Text('The reason of the block.'))),
});

export const Availability = (whenNull: string) =>
  Nullable(
    Type.Object(
      { isFree: Type.Boolean(), taken: Type.Array(TakenNights) },
      { description: `Null: ${whenNull}.` },
    ),
  );

const memberOf = (limit: { min: number; max: number }, who: string) =>
  Type.Optional(
    Type.Integer({
      minimum: limit.min,
      maximum: limit.max,
      description: `${who}. Absent: as now.`,
    }),
  );

export const FreeHomesQuery = RequestObject({
  checkIn: Type.Optional(KeptDate('Arrival. Absent: as now.')),
  checkOut: Type.Optional(KeptDate('Departure. Absent: as now.')),
  adults: memberOf(limits.adults, 'Adults'),
  children: memberOf(limits.otherGuests, 'Children'),
  infants: memberOf(limits.otherGuests, 'Infants'),
  pets: memberOf(limits.otherGuests, 'Pets'),
});

const BrokenRules = (description: string) =>
  Type.Array(Type.Object({ rule: Type.String(), message: Type.String() }), { description });

export const FreeHomes = ResponseObject('FreeHomes', 'Where a reservation could move.', {
  currency: Text('Of the reservation.'),
  total: Minor('What the reservation costs now.'),
  free: Integer('How many homes with room for the party are free.'),
  items: Type.Array(
    ResponseObject('FreeHome', {
      listingId: Uuid('The home.'),
      listing: Text('Its slug.'),
      name: Text('Its name.'),
      destination: Nullable(Type.String()),
      sleeps: Nullable(Type.Integer()),
      bedrooms: Nullable(Type.Number()),
      currency: Type.String(),
      total: Minor('What the stay costs there, by current rates.'),
      difference: Minor('Above 0: it costs more there.'),
      warnings: BrokenRules('Rules of that home that the stay breaks.'),
    }),
    {
      description: `At most ${operatorLimits.freeHomes}: those whose rules the stay keeps first, then those of the same collection and place.`,
    },
  ),
});

export const Change = ResponseObject('Change', 'A change, done or as a preview.', {
  dryRun: Flag('Nothing was changed.'),
  reference: Type.String(),
  state: ReservationState,
  version: Type.Integer(),
  changes: Type.Array(ReservationChange),
  before: StayBefore,
  after: Stay,
  price: Type.Object({
    currency: Type.String(),
    before: Minor('The total before.'),
    after: Minor('The total after.'),
    difference: Minor('Above 0: more is due.'),
    collected: Minor('What has been collected.'),
    overpaid: Minor(
      'The collected amount above what is due now. Whoever collected it, you or the partner, refunds it.',
    ),
  }),
  chargesBefore: Charges,
  charges: Charges,
  ...openBefore,
  cancellation: Nullable(Terms.properties.cancellation),
  availability: Availability('no nights move'),
  warnings: Type.Array(Type.Object({ rule: Type.String(), message: Type.String() }), {
    description: 'Rules of the home that the stay breaks. You decide whether it matters.',
  }),
  events: Type.Array(EventToSend),
});
