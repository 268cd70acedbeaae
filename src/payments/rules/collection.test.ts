import { dayMs } from '../../contract/time.ts';
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { dateText, dayNumber, todayAt } from '../../pricing/index.ts';
import type { AccountPayment } from './allocation.ts';
import { type Refusal, type RefusalKind, refusalRules } from './refusal.ts';
import { refundableOf } from './refunding.ts';
import type { AccountRefund } from './collection-facts.ts';
import { decideCollection, isUnknownForStaff } from './collection.ts';
import type { CollectionFacts } from './collection-facts.ts';

const refusalDelaysDays = refusalRules.funds.delaysDays;
const nextOf = (facts: CollectionFacts) => decideCollection(facts).next;
const waitsOf = (facts: CollectionFacts) =>
  decideCollection(facts).waits.map(({ kind, amountMinor, reason }) => [kind, amountMinor, reason]);
const refusalOn = (day: number, kind: RefusalKind = 'funds'): Refusal => ({
  kind,
  code: null,
  at: noonOf(day),
});

const first = dayNumber('2027-03-01');
const dateOf = (day: number): string => dateText(first + day);
const noonOf = (day: number): number => (first + day) * dayMs + dayMs / 2;

const booked: AccountPayment = {
  paymentId: 'p1',
  purpose: 'booking',
  dueOn: dateOf(0),
  amountMinor: 400,
  state: 'captured',
  refusal: null,
  refundsChanged: false,
  lookAt: null,
};

const confirmed: CollectionFacts = {
  isCancelled: false,
  schedule: [
    { dueOn: dateOf(0), amount: 400 },
    { dueOn: dateOf(10), amount: 600 },
  ],
  timeZone: null,
  balances: { due: 1000, collected: 400, open: 600, refunded: 0, owed: 0 },
  payments: [booked],
  refunds: [],
  stoppedAt: null,
  disputedAt: null,
  hasCard: true,
  limits: { minimumMinor: 0, multipleOf: 1 },
  now: noonOf(0),
};

const instalment: AccountPayment = {
  paymentId: 'p2',
  purpose: 'instalment',
  dueOn: dateOf(10),
  amountMinor: 600,
  state: 'captured',
  refusal: null,
  refundsChanged: false,
  lookAt: null,
};

const paid: CollectionFacts = {
  ...confirmed,
  balances: { due: 1000, collected: 1000, open: 0, refunded: 0, owed: 0 },
  payments: [booked, instalment],
};

/** Instalments that the provider has refused. */
const refusedInstalments = (refusals: readonly Refusal[], change: Partial<AccountPayment> = {}) =>
  refusals.map((refusal, at): AccountPayment => ({
    ...instalment,
    paymentId: `r${at}`,
    state: 'refused',
    refusal,
    ...change,
  }));

suite('payments › collection', () => {
  test('a later instalment waits for the start of its day at the property', () => {
    const timeZone = 'America/Denver';
    assert.deepEqual(nextOf({ ...confirmed, timeZone }), {
      act: 'wait',
      until: Date.parse(`${dateOf(10)}T07:00:00Z`),
    });
    const now = Date.parse(`${dateOf(10)}T07:00:00Z`);
    assert.deepEqual(nextOf({ ...confirmed, timeZone, now }), {
      act: 'collect',
      purpose: 'instalment',
      dueOn: dateOf(10),
      amountMinor: 600,
    });
    assert.equal(nextOf({ ...confirmed, timeZone, now: now - 1 }).act, 'wait');
  });

  test('what has begun is finished first, the payment of the booking too', () => {
    for (const state of ['requested', 'unknown', 'action_needed', 'authorized'] as const) {
      const begun = { ...instalment, state };
      const facts = { ...confirmed, now: noonOf(10), payments: [booked, begun] };
      assert.deepEqual(nextOf(facts), { act: 'finishPayment', paymentId: 'p2' });
    }
    const booking = { ...confirmed, payments: [{ ...booked, state: 'unknown' as const }] };
    assert.equal(nextOf({ ...booking, now: noonOf(0) }).act, 'finishPayment');
    const refund = refundOf({
      refundId: 'r1',
      paymentId: 'p1',
      amountMinor: 100,
      state: 'unknown',
    });
    assert.deepEqual(nextOf({ ...confirmed, refunds: [refund] }), {
      act: 'finishRefund',
      refundId: 'r1',
    });
  });

  test('a refused instalment is tried again after its delays; staff see it from the first refusal on', () => {
    const refusals: Refusal[] = [];
    for (const days of refusalDelaysDays) {
      refusals.push(refusalOn(10));
      const facts = { ...confirmed, payments: [booked, ...refusedInstalments(refusals)] };
      const until = noonOf(10) + days * dayMs;
      assert.deepEqual(nextOf({ ...facts, now: until - 1 }), { act: 'wait', until });
      assert.deepEqual(waitsOf({ ...facts, now: until - 1 }), [['declined', 600, 'funds']]);
      assert.equal(nextOf({ ...facts, now: until }).act, 'collect');
    }
    const payments = [booked, ...refusedInstalments([...refusals, refusalOn(10)])];
    const facts = { ...confirmed, payments, now: noonOf(100) };
    assert.deepEqual(nextOf(facts), { act: 'wait', until: null });
    assert.deepEqual(waitsOf(facts), [['declined', 600, 'funds']]);
  });

  for (const kind of ['card', 'guest', 'amount', 'account'] as const) {
    // Spec: MONEY-7.
    test(`a refusal of the kind ${kind} is not tried again: staff decide at once`, () => {
      const payments = [booked, ...refusedInstalments([refusalOn(10, kind)])];
      for (const now of [noonOf(10), noonOf(100)]) {
        assert.deepEqual(nextOf({ ...confirmed, payments, now }), { act: 'wait', until: null });
        assert.deepEqual(waitsOf({ ...confirmed, payments, now }), [['declined', 600, kind]]);
      }
    });
  }

  // Spec: MONEY-6.
  test('a refused part keeps no other from being collected, unless its card must not be used again', () => {
    const schedule = [...confirmed.schedule, { dueOn: dateOf(20), amount: 300 }];
    const balances = { due: 1300, collected: 400, open: 900, refunded: 0, owed: 0 };
    const facts = { ...confirmed, schedule, balances, now: noonOf(20) };
    const refusedFor = (kind: RefusalKind) => [
      booked,
      ...refusedInstalments([refusalOn(10, kind)]),
    ];
    assert.deepEqual(nextOf({ ...facts, payments: refusedFor('guest') }), {
      act: 'collect',
      purpose: 'instalment',
      dueOn: dateOf(20),
      amountMinor: 300,
    });
    const stolen = { ...facts, payments: refusedFor('card') };
    assert.deepEqual(nextOf(stolen), { act: 'wait', until: null });
    assert.deepEqual(waitsOf(stolen), [
      ['declined', 600, 'card'],
      ['declined', 300, 'card'],
    ]);
  });

  test('what was refused stays so when a change moves it to another day, or adds to it', () => {
    const payments = [booked, ...refusedInstalments([refusalOn(10, 'guest')])];
    const moved = {
      ...confirmed,
      payments,
      schedule: [
        { dueOn: dateOf(0), amount: 400 },
        { dueOn: dateOf(12), amount: 600 },
      ],
    };
    assert.deepEqual(nextOf({ ...moved, now: noonOf(12) }), { act: 'wait', until: null });
    assert.deepEqual(waitsOf({ ...moved, now: noonOf(12) }), [['declined', 600, 'guest']]);
    const raised = {
      ...moved,
      schedule: [
        { dueOn: dateOf(0), amount: 400 },
        { dueOn: dateOf(12), amount: 650 },
      ],
      balances: { due: 1050, collected: 400, open: 650, refunded: 0, owed: 0 },
      now: noonOf(12),
    };
    // Only what the change has added is new.
    const next = nextOf(raised);
    assert.deepEqual(next.act === 'collect' && next.amountMinor, 50);
    assert.deepEqual(waitsOf(raised), [['declined', 600, 'guest']]);
  });

  test('a refused difference keeps its amount, and a later one is its own part', () => {
    const refused: AccountPayment = {
      ...instalment,
      paymentId: 'd1',
      purpose: 'difference',
      dueOn: dateOf(0),
      amountMinor: 50,
      state: 'refused',
      refusal: refusalOn(0, 'guest'),
    };
    const facts = {
      ...confirmed,
      schedule: [{ dueOn: dateOf(0), amount: 480 }],
      balances: { due: 480, collected: 400, open: 80, refunded: 0, owed: 0 },
      payments: [booked, refused],
    };
    assert.deepEqual(nextOf(facts), {
      act: 'collect',
      purpose: 'difference',
      dueOn: dateOf(1),
      amountMinor: 30,
    });
    assert.deepEqual(waitsOf(facts), [['declined', 50, 'guest']]);
  });

  test('what came another way is not collected, and resolves the refusal', () => {
    const payments = [booked, ...refusedInstalments([refusalOn(10)])];
    const balances = { due: 1000, collected: 1000, open: 0, refunded: 0, owed: 0 };
    const decided = decideCollection({ ...confirmed, payments, balances, now: noonOf(100) });
    assert.deepEqual(decided, {
      next: { act: 'wait', until: null },
      waits: [],
      resolved: { paymentIds: ['r0'], refundIds: [] },
    });
  });

  test('nothing is collected while staff have stopped it, or the card is disputed; refunds go on', () => {
    const stopped = { ...confirmed, stoppedAt: noonOf(5), now: noonOf(10) };
    assert.equal(nextOf(stopped).act, 'wait');
    assert.deepEqual(waitsOf(stopped), [['stopped', 600, 'stopped']]);
    const disputed = { ...confirmed, disputedAt: noonOf(5), now: noonOf(10) };
    assert.equal(nextOf(disputed).act, 'wait');
    assert.deepEqual(waitsOf(disputed), [['declined', 600, 'disputed']]);
    const owing = { due: 900, collected: 1000, open: -100, refunded: 0, owed: 0 };
    assert.equal(nextOf({ ...paid, stoppedAt: noonOf(5), balances: owing }).act, 'refund');
  });

  // Spec: MONEY-13.
  test('an amount below the least that the provider takes joins the next part', () => {
    const limits = { minimumMinor: 50, multipleOf: 1 };
    const raised = {
      ...confirmed,
      limits,
      schedule: [
        { dueOn: dateOf(0), amount: 427 },
        { dueOn: dateOf(10), amount: 600 },
      ],
      balances: { due: 1027, collected: 400, open: 627, refunded: 0, owed: 0 },
    };
    assert.equal(nextOf(raised).act, 'wait');
    assert.deepEqual(waitsOf(raised), []);
    assert.deepEqual(nextOf({ ...raised, now: noonOf(10) }), {
      act: 'collect',
      purpose: 'instalment',
      dueOn: dateOf(10),
      amountMinor: 627,
    });
    const [ofToday] = raised.schedule;
    const balances = { due: 427, collected: 400, open: 27, refunded: 0, owed: 0 };
    const alone = { ...raised, schedule: [ofToday!], balances };
    assert.deepEqual(nextOf(alone), { act: 'wait', until: null });
    assert.deepEqual(waitsOf(alone), [['declined', 27, 'amount']]);
  });

  test('of a currency that is counted in tens, the rest joins the next part', () => {
    const limits = { minimumMinor: 0, multipleOf: 10 };
    const schedule = [
      { dueOn: dateOf(0), amount: 400 },
      { dueOn: dateOf(10), amount: 603 },
      { dueOn: dateOf(20), amount: 107 },
    ];
    const balances = { due: 1110, collected: 400, open: 710, refunded: 0, owed: 0 };
    const facts = { ...confirmed, limits, schedule, balances };
    const one = nextOf({ ...facts, now: noonOf(10) });
    assert.equal(one.act === 'collect' && one.amountMinor, 600);
    const later = nextOf({
      ...facts,
      payments: [booked, instalment],
      balances: { ...balances, collected: 1000, open: 110 },
      now: noonOf(20),
    });
    assert.equal(later.act === 'collect' && later.amountMinor, 110);
  });

  const refundOf = (
    change: Pick<AccountRefund, 'refundId' | 'paymentId' | 'amountMinor' | 'state'> &
      Partial<AccountRefund>,
  ): AccountRefund => ({ isOwed: false, refusal: null, ...change });

  test('a refund that was sent back is not paid again by itself; its payment has the amount again', () => {
    const failed = refundOf({
      refundId: 'r1',
      paymentId: 'p2',
      amountMinor: 600,
      state: 'failed',
      refusal: refusalOn(3),
    });
    const facts = {
      ...paid,
      isCancelled: true,
      balances: { due: 400, collected: 1000, open: -600, refunded: 0, owed: 0 },
      refunds: [failed],
      now: noonOf(100),
    };
    assert.equal(refundableOf(instalment, [failed]), 600);
    assert.deepEqual(nextOf(facts), { act: 'wait', until: null });
    assert.deepEqual(waitsOf(facts), [['refund_failed', 600, 'sent_back']]);
    const started = { ...facts, refunds: [{ ...failed, refusal: null }] };
    const refund = { act: 'refund', paymentId: 'p2', amountMinor: 600, isOwed: false };
    assert.deepEqual(nextOf(started), refund);
    // What a later change adds is another refund.
    const more = { ...facts, balances: { ...facts.balances, due: 300, open: -700 } };
    assert.deepEqual(nextOf(more), { ...refund, amountMinor: 100 });
    const paidElsewhere = { ...facts.balances, open: 0, refunded: 600 };
    assert.deepEqual(decideCollection({ ...facts, balances: paidElsewhere }).resolved.refundIds, [
      'r1',
    ]);
  });

  test('a refund that was sent back does not keep later instalments from being collected', () => {
    const failed = refundOf({
      refundId: 'r1',
      paymentId: 'p1',
      amountMinor: 50,
      state: 'failed',
      isOwed: true,
      refusal: refusalOn(3),
    });
    const balances = { due: 950, collected: 400, open: 550, refunded: 0, owed: 50 };
    const facts = { ...confirmed, refunds: [failed], balances, now: noonOf(10) };
    const next = nextOf(facts);
    assert.deepEqual(next.act === 'collect' && next.amountMinor, 600);
    assert.deepEqual(waitsOf(facts), [['refund_failed', 50, 'sent_back']]);
  });

  // Spec: MONEY-3.
  test('what is too much is refunded, the latest payment first, each at most to its amount', () => {
    const cancelled = {
      ...paid,
      isCancelled: true,
      balances: { due: 100, collected: 1000, open: -900, refunded: 0, owed: 0 },
    };
    const latest = { act: 'refund', paymentId: 'p2', amountMinor: 600, isOwed: false };
    assert.deepEqual(nextOf(cancelled), latest);
    const refunds = [
      refundOf({ refundId: 'r1', paymentId: 'p2', amountMinor: 600, state: 'done' }),
    ];
    const balances = { due: 100, collected: 1000, open: -300, refunded: 600, owed: 0 };
    assert.deepEqual(nextOf({ ...cancelled, balances, refunds }), {
      act: 'refund',
      paymentId: 'p1',
      amountMinor: 300,
      isOwed: false,
    });
  });

  test('what staff give back is refunded although something is still to be collected', () => {
    const balances = { due: 950, collected: 400, open: 550, refunded: 0, owed: 50 };
    const facts = { ...confirmed, balances };
    assert.deepEqual(nextOf(facts), {
      act: 'refund',
      paymentId: 'p1',
      amountMinor: 50,
      isOwed: true,
    });
    const given = {
      ...facts,
      balances: { due: 950, collected: 400, open: 600, refunded: 50, owed: 0 },
      refunds: [
        refundOf({
          refundId: 'r1',
          paymentId: 'p1',
          amountMinor: 50,
          state: 'done',
          isOwed: true,
        }),
      ],
      now: noonOf(10),
    };
    const next = nextOf(given);
    assert.deepEqual(next.act === 'collect' && next.amountMinor, 600);
  });

  test('a refused refund is tried at an earlier payment, and shown to staff when none is left', () => {
    const owing = {
      ...paid,
      balances: { due: 900, collected: 1000, open: -100, refunded: 0, owed: 0 },
    };
    const refused = (refundId: string, paymentId: string, kind: RefusalKind) =>
      refundOf({
        refundId,
        paymentId,
        amountMinor: 100,
        state: 'refused',
        refusal: refusalOn(1, kind),
      });
    const latest = refused('r1', 'p2', 'amount');
    const next = nextOf({ ...owing, refunds: [latest], now: noonOf(1) });
    assert.deepEqual(next.act === 'refund' && next.paymentId, 'p1');
    const both = { ...owing, refunds: [latest, refused('r2', 'p1', 'funds')] };
    assert.deepEqual(nextOf({ ...both, now: noonOf(1) }), { act: 'wait', until: noonOf(2) });
    assert.deepEqual(waitsOf({ ...both, now: noonOf(1) }), [['refund_refused', 100, 'funds']]);
    assert.equal(nextOf({ ...both, now: noonOf(2) }).act, 'refund');
  });

  test('money that came another way cannot be refunded by card: staff see it', () => {
    const facts = {
      ...confirmed,
      isCancelled: true,
      payments: [],
      balances: { due: 0, collected: 400, open: -400, refunded: 0, owed: 0 },
    };
    assert.deepEqual(nextOf(facts), { act: 'wait', until: null });
    assert.deepEqual(waitsOf(facts), [['refund_refused', 400, 'not_by_card']]);
  });

  test('what staff have taken off the price is not collected again', () => {
    const balances = { due: 900, collected: 400, open: 500, refunded: 0, owed: 0 };
    const before = { ...confirmed, balances, now: noonOf(0) };
    assert.equal(nextOf(before).act, 'wait');
    assert.deepEqual(nextOf({ ...before, now: noonOf(10) }), {
      act: 'collect',
      purpose: 'instalment',
      dueOn: dateOf(10),
      amountMinor: 500,
    });
    const returned = { due: 900, collected: 400, open: 600, refunded: 100, owed: 0 };
    assert.equal(nextOf({ ...before, balances: returned }).act, 'wait');
  });

  test('a price raised on a day that was charged is a difference, one for each day', () => {
    const raised = {
      ...confirmed,
      schedule: [{ dueOn: dateOf(0), amount: 550 }],
      balances: { due: 550, collected: 400, open: 150, refunded: 0, owed: 0 },
    };
    const difference = { act: 'collect', purpose: 'difference', amountMinor: 150 };
    assert.deepEqual(nextOf(raised), { ...difference, dueOn: dateOf(0) });
    const earlier: AccountPayment = {
      ...instalment,
      purpose: 'difference',
      dueOn: dateOf(0),
      amountMinor: 50,
    };
    const again = {
      ...raised,
      balances: { due: 550, collected: 450, open: 100, refunded: 0, owed: 0 },
      payments: [booked, earlier],
    };
    assert.deepEqual(nextOf(again), { ...difference, amountMinor: 100, dueOn: dateOf(1) });
  });

  test('an outcome that is unknown for half an hour is shown to staff', () => {
    assert.equal(isUnknownForStaff(0, 30 * 60_000 - 1), false);
    assert.equal(isUnknownForStaff(0, 30 * 60_000), true);
  });
});

/** A reservation's money as the database would keep it, and the events that change it. */
class World {
  facts: CollectionFacts;
  #count = 0;

  constructor(schedule: CollectionFacts['schedule']) {
    const due = schedule.reduce((sum, { amount }) => sum + amount, 0);
    const balances = { due, collected: 0, open: due, refunded: 0, owed: 0 };
    this.facts = { ...confirmed, schedule, balances, payments: [], refunds: [], now: noonOf(0) };
  }

  /** Posts amounts; the open amount follows. */
  #post(change: Partial<CollectionFacts['balances']>): void {
    const { due, collected, refunded, owed } = { ...this.facts.balances, ...change };
    const balances = { due, collected, refunded, owed, open: due - collected + refunded };
    this.facts = { ...this.facts, balances };
  }

  #refusal(isDone: boolean): Refusal | null {
    return isDone ? null : { kind: 'funds', code: null, at: this.facts.now };
  }

  #setPayment(paymentId: string, change: Partial<AccountPayment>): void {
    const payments = this.facts.payments.map((one) =>
      one.paymentId === paymentId ? { ...one, ...change } : one,
    );
    this.facts = { ...this.facts, payments };
  }

  #finishPayment(paymentId: string, isDone: boolean): void {
    const { amountMinor } = this.facts.payments.find((one) => one.paymentId === paymentId)!;
    const state = isDone ? 'captured' : 'refused';
    this.#setPayment(paymentId, { state, refusal: this.#refusal(isDone) });
    if (isDone) this.#post({ collected: this.facts.balances.collected + amountMinor });
  }

  #finishRefund(refundId: string, isDone: boolean): void {
    const { amountMinor, isOwed } = this.facts.refunds.find((one) => one.refundId === refundId)!;
    const state = isDone ? ('done' as const) : ('refused' as const);
    const refunds = this.facts.refunds.map((one) =>
      one.refundId === refundId ? { ...one, state, refusal: this.#refusal(isDone) } : one,
    );
    this.facts = { ...this.facts, refunds };
    if (!isDone) return;
    const { refunded, owed } = this.facts.balances;
    this.#post({ refunded: refunded + amountMinor, owed: owed - (isOwed ? amountMinor : 0) });
  }

  /** Staff start everything again. */
  start(): void {
    const payments = this.facts.payments.map((one) => ({ ...one, refusal: null }));
    const refunds = this.facts.refunds.map((one) => ({ ...one, refusal: null }));
    this.facts = { ...this.facts, payments, refunds };
  }

  /** One act; the provider answers later, when it is finished. Null: it waits. */
  step(isDone: boolean): ReturnType<typeof decideCollection>['next'] {
    const act = nextOf(this.facts);
    const id = `${(this.#count += 1)}`;
    if (act.act === 'finishPayment') this.#finishPayment(act.paymentId, isDone);
    if (act.act === 'finishRefund') this.#finishRefund(act.refundId, isDone);
    if (act.act === 'collect') {
      const { purpose, dueOn, amountMinor } = act;
      const requested = {
        paymentId: id,
        purpose,
        dueOn,
        amountMinor,
        state: 'requested',
        refusal: null,
        refundsChanged: false,
        lookAt: null,
      } as const;
      this.facts = { ...this.facts, payments: [...this.facts.payments, requested] };
    }
    if (act.act === 'refund') {
      const { paymentId, amountMinor, isOwed } = act;
      const refund = {
        refundId: id,
        paymentId,
        amountMinor,
        state: 'requested',
        isOwed,
        refusal: null,
      } as const;
      this.facts = { ...this.facts, refunds: [...this.facts.refunds, refund] };
    }
    return act;
  }

  /** Staff set another price: paid days stay, the rest is due on the last day. */
  reprice(total: number): void {
    if (this.facts.isCancelled) return;
    const { schedule, balances } = this.facts;
    let left = total;
    const kept = schedule.slice(0, -1).map(({ dueOn, amount }) => {
      const part = Math.min(amount, left);
      left -= part;
      return { dueOn, amount: part };
    });
    const before = schedule.reduce((sum, { amount }) => sum + amount, 0);
    const last = { dueOn: schedule.at(-1)!.dueOn, amount: left };
    this.facts = { ...this.facts, schedule: [...kept, last] };
    this.#post({ due: Math.max(0, balances.due + total - before) });
  }

  /** Staff give back a part of what was collected. */
  giveBack(share: number): void {
    const { due, collected, refunded, owed } = this.facts.balances;
    const most = Math.max(0, Math.min(due, collected - refunded - owed));
    const given = Math.floor(most * share);
    this.#post({ due: due - given, owed: owed + given });
  }

  cancel(share: number): void {
    if (this.facts.isCancelled) return;
    const { due, collected, refunded, owed } = this.facts.balances;
    const kept = Math.floor(Math.min(due, collected - refunded - owed) * (1 - share));
    this.facts = { ...this.facts, isCancelled: true };
    this.#post({ due: kept });
  }

  nextDay(): void {
    this.facts = { ...this.facts, now: this.facts.now + dayMs };
  }
}

const schedules = fc
  .uniqueArray(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 4 })
  .chain((days) =>
    fc.tuple(
      ...days
        .toSorted((a, b) => a - b)
        .map((day) =>
          fc.integer({ min: 1, max: 1000 }).map((amount) => ({ dueOn: dateOf(day), amount })),
        ),
    ),
  );

const share = fc.double({ min: 0, max: 1, noNaN: true });
const happening = fc.oneof(
  { weight: 12, arbitrary: fc.boolean().map((isDone) => ({ what: 'step' as const, isDone })) },
  { weight: 5, arbitrary: fc.constant({ what: 'day' as const }) },
  { weight: 1, arbitrary: fc.nat(3000).map((total) => ({ what: 'reprice' as const, total })) },
  { weight: 1, arbitrary: share.map((part) => ({ what: 'giveBack' as const, part })) },
  { weight: 1, arbitrary: share.map((part) => ({ what: 'cancel' as const, part })) },
);
type Happening = typeof happening extends fc.Arbitrary<infer One> ? One : never;

const acts: {
  [What in Happening['what']]: (world: World, one: Extract<Happening, { what: What }>) => void;
} = {
  step: (world, { isDone }) => checkedStep(world, isDone),
  day: (world) => world.nextDay(),
  reprice: (world, { total }) => world.reprice(total),
  giveBack: (world, { part }) => world.giveBack(part),
  cancel: (world, { part }) => world.cancel(part),
};

/** An act never collects more than is due, and never refunds more than was collected. */
function checkedStep(world: World, isDone: boolean): void {
  const before = world.facts;
  const act = world.step(isDone);
  const { payments, refunds, schedule, balances, now } = world.facts;
  if (act.act === 'collect') {
    const underWay = payments.filter(({ state }) => state === 'requested');
    const wanted = underWay.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
    assert.ok(balances.collected - balances.refunded + wanted <= balances.due, 'more than is due');
    const today = todayAt(now, null);
    const dueByNow = schedule.filter(({ dueOn }) => dayNumber(dueOn) <= today);
    assert.ok(dueByNow.length > 0 && act.amountMinor > 0, 'collected before its day');
    const same = payments.filter(
      ({ purpose, dueOn, state }) =>
        purpose === act.purpose && dueOn === act.dueOn && state !== 'refused',
    );
    assert.equal(same.length, 1, 'two live payments of one due day');
  }
  if (act.act === 'refund') {
    const payment = payments.find(({ paymentId }) => paymentId === act.paymentId)!;
    assert.ok(act.amountMinor > 0 && refundableOf(payment, refunds) >= 0, 'more than it has left');
    const given = refunds.filter(({ state }) => state !== 'refused');
    const all = given.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
    assert.ok(all <= balances.collected, 'more than was collected');
  }
  assert.deepEqual(nextOf(before), act, 'the same facts give the same act');
}

suite('payments › collection › properties', () => {
  const run = (schedule: CollectionFacts['schedule'], happenings: readonly Happening[]): World => {
    const world = new World(schedule);
    for (const one of happenings) acts[one.what](world, one as never);
    return world;
  };

  // Spec: MONEY-1.
  test('no act ever collects or refunds too much', () => {
    fc.assert(
      fc.property(schedules, fc.array(happening, { maxLength: 80 }), (schedule, happenings) => {
        run(schedule, happenings);
      }),
      { numRuns: 300 },
    );
  });

  test('with a provider that agrees, it ends, and exactly what is due was collected', () => {
    fc.assert(
      fc.property(schedules, fc.array(happening, { maxLength: 40 }), (schedule, happenings) => {
        const world = run(schedule, happenings);
        for (let day = 0; day < 80; day += 1) {
          let steps = 0;
          while (world.step(true).act !== 'wait') assert.ok((steps += 1) < 60, 'it does not end');
          world.start();
          world.nextDay();
        }
        const { due, collected, refunded, open } = world.facts.balances;
        assert.equal(collected - refunded, due);
        assert.equal(open, 0);
      }),
      { numRuns: 200 },
    );
  });
});
