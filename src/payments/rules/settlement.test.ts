import { dayMs } from '../../contract/time.ts';
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { dateText, dayNumber, todayAt } from '../../pricing/index.ts';
import {
  decideSettlement,
  isUnknownForStaff,
  refundableOf,
  refusalDelaysDays,
  type SettledPayment,
  type SettlementFacts,
} from './settlement.ts';

const first = dayNumber('2027-03-01');
const dateOf = (day: number): string => dateText(first + day);
const noonOf = (day: number): number => (first + day) * dayMs + dayMs / 2;

const booked: SettledPayment = {
  paymentId: 'p1',
  purpose: 'booking',
  dueOn: dateOf(0),
  amountMinor: 400,
  state: 'captured',
};

const confirmed: SettlementFacts = {
  isCancelled: false,
  schedule: [
    { dueOn: dateOf(0), amount: 400 },
    { dueOn: dateOf(10), amount: 600 },
  ],
  timeZone: null,
  balances: { due: 1000, collected: 400, open: 600, refunded: 0 },
  payments: [booked],
  refunds: [],
  refusals: 0,
  lastRefusedAt: null,
  refundFailedAt: null,
  now: noonOf(0),
};

const instalment: SettledPayment = {
  paymentId: 'p2',
  purpose: 'instalment',
  dueOn: dateOf(10),
  amountMinor: 600,
  state: 'captured',
};

const paid: SettlementFacts = {
  ...confirmed,
  balances: { due: 1000, collected: 1000, open: 0, refunded: 0 },
  payments: [booked, instalment],
};

suite('payments › settlement', () => {
  test('a later instalment waits for the start of its day at the property', () => {
    const timeZone = 'America/Denver';
    assert.deepEqual(decideSettlement({ ...confirmed, timeZone }), {
      act: 'wait',
      until: Date.parse(`${dateOf(10)}T07:00:00Z`),
      attention: null,
    });
    const now = Date.parse(`${dateOf(10)}T07:00:00Z`);
    assert.deepEqual(decideSettlement({ ...confirmed, timeZone, now }), {
      act: 'collect',
      purpose: 'instalment',
      dueOn: dateOf(10),
      amountMinor: 600,
    });
    assert.equal(decideSettlement({ ...confirmed, timeZone, now: now - 1 }).act, 'wait');
  });

  test('what has begun is finished first, except the payment of the booking', () => {
    for (const state of ['requested', 'unknown', 'action_needed', 'authorized'] as const) {
      const begun = { ...instalment, state };
      const facts = { ...confirmed, now: noonOf(10), payments: [booked, begun] };
      assert.deepEqual(decideSettlement(facts), { act: 'finishPayment', paymentId: 'p2' });
    }
    const booking = { ...confirmed, payments: [{ ...booked, state: 'unknown' as const }] };
    assert.equal(decideSettlement({ ...booking, now: noonOf(0) }).act, 'wait');
    const refund = { refundId: 'r1', paymentId: 'p1', amountMinor: 100, state: 'unknown' } as const;
    assert.deepEqual(decideSettlement({ ...confirmed, refunds: [refund] }), {
      act: 'finishRefund',
      refundId: 'r1',
    });
  });

  test('a refused instalment is asked for again after its delays; then staff decide', () => {
    for (const [at, days] of refusalDelaysDays.entries()) {
      const lastRefusedAt = noonOf(10);
      const facts = { ...confirmed, refusals: at + 1, lastRefusedAt };
      const until = lastRefusedAt + days * dayMs;
      assert.deepEqual(decideSettlement({ ...facts, now: until - 1 }), {
        act: 'wait',
        until,
        attention: null,
      });
      assert.equal(decideSettlement({ ...facts, now: until }).act, 'collect');
    }
    const refusals = refusalDelaysDays.length + 1;
    const facts = { ...confirmed, refusals, lastRefusedAt: noonOf(10), now: noonOf(100) };
    assert.deepEqual(decideSettlement(facts), { act: 'wait', until: null, attention: 'declined' });
  });

  test('a refund that was sent back is not paid again by itself; its payment has the amount again', () => {
    const failed = { refundId: 'r1', paymentId: 'p2', amountMinor: 600, state: 'failed' as const };
    const facts = {
      ...paid,
      isCancelled: true,
      balances: { due: 400, collected: 1000, open: -600, refunded: 0 },
      refunds: [failed],
    };
    assert.equal(refundableOf(instalment, [failed]), 600);
    const now = noonOf(100);
    assert.deepEqual(decideSettlement({ ...facts, refundFailedAt: noonOf(3), now }), {
      act: 'wait',
      until: null,
      attention: 'refund_failed',
    });
    assert.deepEqual(decideSettlement({ ...facts, now }), {
      act: 'refund',
      paymentId: 'p2',
      amountMinor: 600,
    });
  });

  test('a refund that was sent back does not keep later instalments from being collected', () => {
    const facts = { ...confirmed, refundFailedAt: noonOf(3), now: noonOf(10) };
    assert.equal(decideSettlement(facts).act, 'collect');
  });

  test('what is too much is refunded, the latest payment first, each at most to its amount', () => {
    const cancelled = {
      ...paid,
      isCancelled: true,
      balances: { due: 100, collected: 1000, open: -900, refunded: 0 },
    };
    const latest = { act: 'refund', paymentId: 'p2', amountMinor: 600 };
    assert.deepEqual(decideSettlement(cancelled), latest);
    const refunds = [{ refundId: 'r1', paymentId: 'p2', amountMinor: 600, state: 'done' as const }];
    const balances = { due: 100, collected: 1000, open: -300, refunded: 600 };
    assert.deepEqual(decideSettlement({ ...cancelled, balances, refunds }), {
      act: 'refund',
      paymentId: 'p1',
      amountMinor: 300,
    });
  });

  test('a refused refund is tried again, and then shown to staff', () => {
    const owing = { ...paid, balances: { due: 900, collected: 1000, open: -100, refunded: 0 } };
    const refused = { ...owing, refusals: 6, lastRefusedAt: noonOf(1), now: noonOf(90) };
    assert.deepEqual(decideSettlement(refused), {
      act: 'wait',
      until: null,
      attention: 'refund_refused',
    });
  });

  test('what staff have taken off the price is not collected again', () => {
    const balances = { due: 900, collected: 400, open: 500, refunded: 0 };
    const before = { ...confirmed, balances, now: noonOf(0) };
    assert.equal(decideSettlement(before).act, 'wait');
    assert.deepEqual(decideSettlement({ ...before, now: noonOf(10) }), {
      act: 'collect',
      purpose: 'instalment',
      dueOn: dateOf(10),
      amountMinor: 500,
    });
    const returned = { due: 900, collected: 400, open: 600, refunded: 100 };
    assert.equal(decideSettlement({ ...before, balances: returned }).act, 'wait');
  });

  test('a price raised on a day that was charged is a difference, one for each day', () => {
    const raised = {
      ...confirmed,
      schedule: [{ dueOn: dateOf(0), amount: 550 }],
      balances: { due: 550, collected: 400, open: 150, refunded: 0 },
    };
    const difference = { act: 'collect', purpose: 'difference', amountMinor: 150 };
    assert.deepEqual(decideSettlement(raised), { ...difference, dueOn: dateOf(0) });
    const earlier: SettledPayment = {
      ...instalment,
      purpose: 'difference',
      dueOn: dateOf(0),
      amountMinor: 50,
    };
    const again = {
      ...raised,
      balances: { due: 550, collected: 450, open: 100, refunded: 0 },
      payments: [booked, earlier],
    };
    const act = decideSettlement(again);
    assert.deepEqual(act, { ...difference, amountMinor: 100, dueOn: dateOf(1) });
  });

  test('an outcome that is unknown for half an hour is shown to staff', () => {
    assert.equal(isUnknownForStaff(0, 30 * 60_000 - 1), false);
    assert.equal(isUnknownForStaff(0, 30 * 60_000), true);
  });
});

/** A reservation's money as the database would keep it, and the events that change it. */
class World {
  facts: SettlementFacts;
  #count = 0;

  constructor(schedule: SettlementFacts['schedule']) {
    const due = schedule.reduce((sum, { amount }) => sum + amount, 0);
    const balances = { due, collected: 0, open: due, refunded: 0 };
    this.facts = { ...confirmed, schedule, balances, payments: [], refunds: [], now: noonOf(0) };
  }

  /** Posts amounts; the open amount follows. */
  #post(change: Partial<SettlementFacts['balances']>): void {
    const { due, collected, refunded } = { ...this.facts.balances, ...change };
    const balances = { due, collected, refunded, open: due - collected + refunded };
    this.facts = { ...this.facts, balances };
  }

  #answered(isDone: boolean): void {
    const { refusals, now } = this.facts;
    this.facts = isDone
      ? { ...this.facts, refusals: 0, lastRefusedAt: null }
      : { ...this.facts, refusals: refusals + 1, lastRefusedAt: now };
  }

  #setPayment(paymentId: string, state: SettledPayment['state']): void {
    const payments = this.facts.payments.map((one) =>
      one.paymentId === paymentId ? { ...one, state } : one,
    );
    this.facts = { ...this.facts, payments };
  }

  #finishPayment(paymentId: string, isDone: boolean): void {
    const { amountMinor } = this.facts.payments.find((one) => one.paymentId === paymentId)!;
    this.#setPayment(paymentId, isDone ? 'captured' : 'refused');
    if (isDone) this.#post({ collected: this.facts.balances.collected + amountMinor });
    this.#answered(isDone);
  }

  #finishRefund(refundId: string, isDone: boolean): void {
    const { amountMinor } = this.facts.refunds.find((one) => one.refundId === refundId)!;
    const refunds = this.facts.refunds.map((one) =>
      one.refundId === refundId
        ? { ...one, state: isDone ? ('done' as const) : ('refused' as const) }
        : one,
    );
    this.facts = { ...this.facts, refunds };
    if (isDone) this.#post({ refunded: this.facts.balances.refunded + amountMinor });
    this.#answered(isDone);
  }

  /** One act; the provider answers later, when it is finished. Null: it waits. */
  step(isDone: boolean): ReturnType<typeof decideSettlement> {
    const act = decideSettlement(this.facts);
    const id = `${(this.#count += 1)}`;
    if (act.act === 'finishPayment') this.#finishPayment(act.paymentId, isDone);
    if (act.act === 'finishRefund') this.#finishRefund(act.refundId, isDone);
    if (act.act === 'collect') {
      const { purpose, dueOn, amountMinor } = act;
      const requested = { paymentId: id, purpose, dueOn, amountMinor, state: 'requested' } as const;
      this.facts = { ...this.facts, payments: [...this.facts.payments, requested] };
    }
    if (act.act === 'refund') {
      const { paymentId, amountMinor } = act;
      const refund = { refundId: id, paymentId, amountMinor, state: 'requested' } as const;
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
    this.facts = { ...this.facts, schedule: [...kept, last], refusals: 0, lastRefusedAt: null };
    this.#post({ due: Math.max(0, balances.due + total - before) });
  }

  /** Staff give back a part of what was collected. */
  giveBack(share: number): void {
    const { due, collected, refunded } = this.facts.balances;
    this.#post({ due: due - Math.floor(Math.max(0, Math.min(due, collected - refunded)) * share) });
  }

  cancel(share: number): void {
    if (this.facts.isCancelled) return;
    const { due, collected, refunded } = this.facts.balances;
    const kept = Math.floor(Math.min(due, collected - refunded) * (1 - share));
    this.facts = { ...this.facts, isCancelled: true, refusals: 0, lastRefusedAt: null };
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
  assert.deepEqual(decideSettlement(before), act, 'the same facts give the same act');
}

suite('payments › settlement › properties', () => {
  const run = (schedule: SettlementFacts['schedule'], happenings: readonly Happening[]): World => {
    const world = new World(schedule);
    for (const one of happenings) acts[one.what](world, one as never);
    return world;
  };

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
          world.facts = { ...world.facts, refusals: 0, lastRefusedAt: null };
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
