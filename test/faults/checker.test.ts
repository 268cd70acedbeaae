/** Tests the checker: correct data passes, and each kind of damage fails its rule. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type MoneyFact, type Movement, problemsOfMoney } from './card-payments.ts';
import { check, type Evidence } from './checker.ts';
import type { BookingFact, NightsFact } from './facts.ts';
import { History, type Called, type Seen } from './history.ts';

const applicationId = 'an application';
const bookingId = 'a checkout';
const reference = 'LK-AAAA-BBBB';

const called = (at: number, operation: Called['operation'], seen: Seen | null): Called => ({
  applicationId,
  operation,
  resourceId: bookingId,
  startedAt: at,
  endedAt: at + 10,
  response: { status: 200, code: null, retryAfter: false, seen },
});

const booking: BookingFact = {
  applicationId,
  kind: 'checkout',
  bookingId,
  quoteId: 'a quote',
  attemptId: 'an attempt',
  version: 4,
  state: 'confirmed',
  reference,
  submitted: true,
  setupPending: false,
  setupsAsked: 0,
  supplierOutcome: 'confirmed',
  supplierTells: true,
  waitingMs: 0,
  commandVersions: [1, 2],
};

const event = (sequence: number, type: string) => ({
  applicationId,
  sequence,
  id: `evt_${sequence}`,
  type,
  createdAt: sequence,
  data: { checkoutId: bookingId, state: 'confirmed', version: 4, reference },
});

const stay = { listingId: 'a home', checkIn: '2027-01-03', checkOut: '2027-01-06' };

const nights: NightsFact = {
  id: 'an attempt',
  kind: 'confirmed',
  listingId: stay.listingId,
  from: stay.checkIn,
  to: stay.checkOut,
  reference,
  calendarId: null,
  outside: null,
};

const sold = { listingId: stay.listingId, calendarId: 'a calendar' };

/** A correct booking. */
function sound(): Evidence {
  const history = new History();
  history.calls.push(
    called(0, 'reservation.checkout.create', { version: 1, state: 'needs_guest', reference: null }),
    called(20, 'reservation.checkout.saveGuest', { version: 2, state: 'ready', reference: null }),
    called(40, 'reservation.checkout.submit', { version: 3, state: 'pending', reference: null }),
    called(60, 'reservation.checkout.getStatus', { version: 4, state: 'confirmed', reference }),
  );
  const events = [event(1, 'checkout.resolved'), event(2, 'reservation.confirmed')];
  const feed = history.feedOf(applicationId);
  feed.push(...events.map(({ sequence, id, type }) => ({ sequence, id, type })));
  history.stays.push({ reference, version: 1, state: 'confirmed', ...stay });
  const block = { listingId: stay.listingId, checkIn: stay.checkOut, checkOut: '2027-01-07' };
  history.blocks.push({ blockId: 'a block', state: 'there', ...block });
  history.outside.set('a sale', { ...stay, checkIn: '2027-01-05', checkOut: '2027-01-09' });
  // The first of these nights is that of the block.
  history.sold = { ...sold, nights: [{ checkIn: '2027-01-06', checkOut: '2027-01-08' }] };
  history.shown = {
    reservations: [{ reference, state: 'confirmed', ...stay }],
    calendars: [
      {
        listingId: stay.listingId,
        taken: ['2027-01-03', '2027-01-04', '2027-01-05', '2027-01-06', '2027-01-07', '2027-01-08'],
      },
    ],
  };
  return {
    history,
    facts: {
      bookings: [{ ...booking, commandVersions: [...booking.commandVersions] }],
      reservations: [
        { applicationId, bookingId, reference, version: 1, state: 'confirmed', ...stay },
      ],
      nights: [
        nights,
        { ...nights, id: 'a block', kind: 'block', from: stay.checkOut, to: '2027-01-07' },
        { ...nights, ...sold, id: 'sold', kind: 'block', from: '2027-01-07', to: '2027-01-08' },
        // What the stay, the block and the channel do not have.
        {
          ...nights,
          id: 'the rest',
          kind: 'block',
          outside: 'a sale',
          reference: null,
          from: '2027-01-08',
          to: '2027-01-09',
        },
      ],
      outside: [
        { name: 'a sale', listingId: stay.listingId, from: '2027-01-05', to: '2027-01-09' },
      ],
      conflicts: [{ ...sold, from: '2027-01-06', to: '2027-01-07' }],
      events,
      counters: [{ applicationId, lastSequence: 2 }],
      quoteIds: new Set(),
      promotions: [{ code: 'WELCOME10', uses: 1, held: 1 }],
      days: [{ applicationId, day: '2027-01-01', reservations: 1, bookings: 1 }],
    },
  };
}

const only = (evidence: Evidence): BookingFact => evidence.facts.bookings[0]!;
const taken = (evidence: Evidence): NightsFact => evidence.facts.nights![0]!;

/** The kinds of damage, and the rule that each breaks. */
const damage: readonly { done: string; breaks: RegExp; by: (evidence: Evidence) => void }[] = [
  {
    done: 'a booking vanished',
    breaks: /no acknowledged write is lost/,
    by: ({ facts }) => facts.bookings.splice(0),
  },
  {
    done: 'a booking went back to an earlier version',
    breaks: /no acknowledged write is lost/,
    by: (evidence) => Object.assign(only(evidence), { version: 3 }),
  },
  {
    done: 'a booking is in a state that does not follow',
    breaks: /no acknowledged write is lost/,
    by: (evidence) => Object.assign(only(evidence), { state: 'failed' }),
  },
  {
    done: 'an acknowledged quote is not there',
    breaks: /no acknowledged write is lost/,
    by: ({ history }) =>
      history.calls.push({ ...called(0, 'reservation.quote.create', null), resourceId: 'a quote' }),
  },
  {
    done: 'a command was applied twice',
    breaks: /no effect happens twice/,
    by: (evidence) => Object.assign(only(evidence), { version: 5 }),
  },
  {
    done: 'two commands moved one version',
    breaks: /no effect happens twice/,
    by: (evidence) => Object.assign(only(evidence), { commandVersions: [1, 1] }),
  },
  {
    done: 'a stay has a night of a block',
    breaks: /no two stays share a night/,
    by: (evidence) => Object.assign(evidence.facts.nights![1]!, { from: '2027-01-05' }),
  },
  {
    done: 'a response to a guest has nights that staff have blocked',
    breaks: /no two stays share a night/,
    by: ({ history }) => Object.assign(history.stays[0]!, { checkOut: '2027-01-07' }),
  },
  {
    done: 'the API shows two stays of one night',
    breaks: /no two stays share a night/,
    by: ({ history: { shown } }) =>
      shown!.reservations.push({ ...shown!.reservations[0]!, reference: 'another' }),
  },
  {
    done: 'a change by staff was lost',
    breaks: /no act of staff is lost/,
    by: ({ history }) =>
      history.stays.push({ ...history.stays[0]!, version: 2, state: 'cancelled' }),
  },
  {
    done: 'a reservation was changed by nobody',
    breaks: /no act of staff is lost/,
    by: ({ facts }) => Object.assign(facts.reservations[0]!, { version: 2 }),
  },
  {
    done: 'a block was lost',
    breaks: /no act of staff is lost/,
    by: ({ facts }) => facts.nights!.splice(1, 1),
  },
  {
    done: 'a removed block is there',
    breaks: /no act of staff is lost/,
    by: ({ history }) => Object.assign(history.blocks[0]!, { state: 'removed' }),
  },
  {
    done: 'a night that another channel sells is free',
    breaks: /a calendar blocks what its channel sells/,
    by: ({ facts }) => facts.nights!.splice(2, 1),
  },
  {
    done: 'a calendar blocks a night that its channel no longer sells',
    breaks: /a calendar blocks what its channel sells/,
    by: ({ history }) => Object.assign(history.sold!, { nights: [] }),
  },
  {
    done: 'a night that is sold twice is not reported',
    breaks: /a calendar blocks what its channel sells/,
    by: ({ facts }) => facts.conflicts.pop(),
  },
  {
    done: 'a sale of another system was lost',
    breaks: /what another system has sold is sold/,
    by: ({ facts }) => facts.outside.splice(0),
  },
  {
    done: 'a sale of another system was not moved',
    breaks: /what another system has sold is sold/,
    by: ({ facts }) => Object.assign(facts.outside[0]!, { from: '2027-01-04' }),
  },
  {
    done: 'a sale that was taken back is there',
    breaks: /what another system has sold is sold/,
    by: ({ history }) => history.outside.set('a sale', null),
  },
  {
    done: 'a night that another system has sold is free',
    breaks: /what another system has sold is sold/,
    by: ({ facts }) => facts.nights!.pop(),
  },
  {
    done: 'another system has a night that it has not sold',
    breaks: /what another system has sold is sold/,
    by: ({ facts }) => Object.assign(facts.nights!.at(-1)!, { to: '2027-01-10' }),
  },
  {
    done: 'the API shows other dates',
    breaks: /the API shows what is stored/,
    by: ({ history: { shown } }) =>
      Object.assign(shown!.reservations[0]!, { checkIn: '2027-01-04' }),
  },
  {
    done: 'the calendar shows a taken night as free',
    breaks: /the API shows what is stored/,
    by: ({ history: { shown } }) => shown!.calendars[0]!.taken.shift(),
  },
  {
    done: 'a change was written without an event',
    breaks: /each version of a reservation has one event/,
    by: ({ facts }) => Object.assign(facts.reservations[0]!, { version: 2 }),
  },
  {
    done: 'the nights of a reservation are only held',
    breaks: /nights are held exactly/,
    by: (evidence) => Object.assign(taken(evidence), { kind: 'held', reference: null }),
  },
  {
    done: 'the nights of a reservation are others',
    breaks: /nights are held exactly/,
    by: (evidence) => Object.assign(taken(evidence), { from: '2027-01-04' }),
  },
  {
    done: 'a reservation has no nights',
    breaks: /nights are held exactly/,
    by: ({ facts }) => facts.nights!.splice(0, 1),
  },
  {
    done: 'nights stay held after their booking is gone',
    breaks: /nights are held exactly/,
    by: ({ facts }) =>
      facts.nights!.push({
        ...nights,
        id: 'another',
        kind: 'held',
        from: '2027-02-01',
        to: '2027-02-02',
      }),
  },
  {
    done: 'nights stay taken after a cancellation',
    breaks: /nights are held exactly/,
    by: ({ facts }) => Object.assign(facts.reservations[0]!, { state: 'cancelled' }),
  },
  {
    done: 'a second reservation was made',
    breaks: /has one reservation/,
    by: ({ facts }) => facts.reservations.push({ ...facts.reservations[0]!, reference: 'another' }),
  },
  {
    done: 'a use of a promotion was counted twice',
    breaks: /counted once/,
    by: ({ facts }) => Object.assign(facts.promotions[0]!, { uses: 2 }),
  },
  {
    done: 'a failed booking still counts for its day',
    breaks: /counts once for its day/,
    by: ({ facts }) => Object.assign(facts.days[0]!, { bookings: 0 }),
  },
  {
    done: 'checkout.resolved was written twice',
    breaks: /each resolved submission has one event/,
    by: ({ facts }) => facts.events.push(event(3, 'checkout.resolved')),
  },
  {
    done: 'checkout.resolved was never written',
    breaks: /each resolved submission has one event/,
    by: ({ facts }) => facts.events.shift(),
  },
  {
    done: 'reservation.confirmed was never written',
    breaks: /each reservation has one event/,
    by: ({ facts }) => facts.events.pop(),
  },
  {
    done: 'a sequence was left out',
    breaks: /sequences have no gap/,
    by: ({ facts }) => Object.assign(facts.events[1]!, { sequence: 3 }),
  },
  {
    done: 'the feed left an event out',
    breaks: /the feed shows all events/,
    by: ({ history }) => history.feedOf(applicationId).shift(),
  },
  {
    done: 'the feed showed events in another order',
    breaks: /the feed shows all events/,
    by: ({ history }) => {
      const feed = history.feedOf(applicationId);
      feed.push(...feed.splice(0, 1));
    },
  },
  {
    done: 'a later read showed an earlier version',
    breaks: /versions only rise/,
    by: ({ history }) =>
      history.calls.push(
        called(80, 'reservation.checkout.get', { version: 3, state: 'pending', reference: null }),
      ),
  },
  {
    done: 'one version was seen in two states',
    breaks: /one version has one state/,
    by: ({ history }) =>
      history.calls.push(
        called(55, 'reservation.checkout.get', { version: 3, state: 'ready', reference: null }),
      ),
  },
  {
    done: 'a call hung',
    breaks: /within six seconds/,
    by: ({ history }) => Object.assign(history.calls[0]!, { endedAt: 6_100 }),
  },
  {
    done: 'a 503 did not say when to come back',
    breaks: /503 says when/,
    by: ({ history }) => {
      const response = { status: 503, code: 'unavailable', retryAfter: false, seen: null };
      history.calls.push({ ...called(0, 'reservation.checkout.get', null), response });
    },
  },
  {
    done: 'a call ended in 500',
    breaks: /error of ours/,
    by: ({ history }) => {
      const response = { status: 500, code: 'internal', retryAfter: false, seen: null };
      history.calls.push({ ...called(0, 'reservation.checkout.get', null), response });
    },
  },
  {
    done: 'a guest could not go on',
    breaks: /does not expect/,
    by: ({ history }) => history.surprises.push('the session is lost'),
  },
];

describe('the checker', () => {
  it('accepts correct data', () => {
    assert.deepEqual(check(sound()), []);
  });

  for (const { done, breaks, by } of damage) {
    it(`detects that ${done}`, () => {
      const evidence = sound();
      by(evidence);
      const found = check(evidence);
      assert.ok(
        found.some((text) => breaks.test(text)),
        found.join('\n') || 'nothing was found',
      );
    });
  }
});

describe('the checker of money', () => {
  const moved = (kind: Movement['kind'], paymentIntent = 'pi_1'): Movement => ({
    checkoutId: 'a checkout',
    paymentId: 'p1',
    paymentIntent,
    kind,
    amount: 500,
  });
  const paid: MoneyFact = {
    checkoutId: 'a checkout',
    settlement: 'card',
    state: 'confirmed',
    reservation: 'confirmed',
    due: 500,
    collected: 500,
    open: 0,
    refunded: 0,
    collectedElsewhere: 0,
    refundedElsewhere: 0,
    beyond: 0,
    given: 0,
    waits: 0,
    payments: ['captured'],
  };
  const returned = { ...paid, state: 'failed', reservation: null, due: 0, refunded: 500 };
  const held = [moved('authorized')];
  const captured = [...held, moved('captured')];
  const refunded = [...captured, moved('refunded')];

  const nothing = { due: 0, collected: 0, payments: ['voided'] };
  for (const [name, fact, movements] of [
    ['a paid booking', paid, captured],
    ['a payment that was given back', returned, refunded],
    ['a refund that was sent back', paid, [...refunded, moved('refund_failed')]],
    [
      'a hold that was released',
      { ...returned, ...nothing, refunded: 0 },
      [...held, moved('released')],
    ],
    [
      'what was paid outside',
      { ...paid, due: 700, collected: 700, collectedElsewhere: 200 },
      captured,
    ],
    [
      'what went back outside, and again in the dashboard',
      { ...paid, due: 0, refunded: 500, refundedElsewhere: 400, beyond: 400, given: 500 },
      refunded,
    ],
    ['what is open and waits for staff', { ...paid, due: 600, open: 100, waits: 1 }, captured],
    ['a partner-settled booking', { ...paid, ...nothing, settlement: 'partner', payments: [] }, []],
  ] as const) {
    it(`accepts ${name}`, () => {
      assert.deepEqual(problemsOfMoney([fact], movements), []);
    });
  }

  const wrongFacts: readonly (readonly [Partial<MoneyFact>, readonly Movement[], string])[] = [
    [{ state: 'failed' }, captured, 'is not booked, and money is kept'],
    [{ payments: ['unknown'] }, captured, 'has a payment without an outcome'],
    [{ payments: ['captured'], settlement: 'partner' }, captured, 'is partner-settled'],
    [{}, [...captured, moved('authorized', 'pi_2')], 'was charged twice'],
    [{}, [...captured, moved('authorized', 'pi_2')], 'has 500 held'],
    [{}, [], 'has 0 of 500 collected'],
    [{}, refunded, 'has 500 of 0 refunded'],
    [{ open: 100, due: 600 }, captured, 'has 100 open'],
    [{ due: 600 }, captured, 'does not add up'],
    [{ collectedElsewhere: 100 }, captured, 'has 500 of 400 collected'],
    [{ refunded: 100, due: 400, refundedElsewhere: 100 }, refunded, 'has 500 of 0 refunded'],
    [{ due: 0, collected: 0 }, [], 'owes nothing'],
  ];
  for (const [wrong, movements, what] of wrongFacts) {
    it(`notices a booking that ${what}`, () => {
      const problems = problemsOfMoney([{ ...paid, ...wrong }], movements);
      assert.ok(
        problems.some((problem) => problem.includes(what)),
        problems.join(),
      );
    });
  }
});
