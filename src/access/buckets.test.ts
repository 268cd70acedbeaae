import assert from 'node:assert/strict';
import fc from 'fast-check';
import { suite, test } from 'node:test';
import { createBuckets, type LocalBuckets } from './buckets.ts';

/** A clock that a test advances. */
function clock() {
  let now = 1_000;
  return {
    now: () => now,
    go(ms: number): void {
      now += ms;
    },
  };
}

/** A simple model of one bucket. It counts calls in integer parts of 1/60,000, so that it is exact. */
class Model {
  readonly perMinute: number;
  #parts: number;

  constructor(perMinute: number) {
    this.perMinute = perMinute;
    this.#parts = perMinute * 60_000;
  }

  go(ms: number): void {
    this.#parts = Math.min(this.perMinute * 60_000, this.#parts + ms * this.perMinute);
  }
  /** The milliseconds until one call is available. */
  get wait(): number {
    return Math.max(0, (60_000 - this.#parts) / this.perMinute);
  }
  get remaining(): number {
    return Math.floor(this.#parts / 60_000);
  }
  get fullIn(): number {
    return (this.perMinute * 60_000 - this.#parts) / this.perMinute;
  }
  use(): void {
    this.#parts = Math.max(0, this.#parts - 60_000);
  }
  giveBack(): void {
    this.#parts = Math.min(this.perMinute * 60_000, this.#parts + 60_000);
  }
}

const perMinutes = fc.oneof(
  fc.constantFrom(1, 2, 3, 7, 30, 36, 60, 120, 240, 360),
  fc.integer({ min: 1, max: 100_000 }),
);
const step = fc.oneof(
  fc.record({
    act: fc.constant('go' as const),
    ms: fc.oneof(fc.integer({ min: 0, max: 3_000 }), fc.integer({ min: 0, max: 90_000 })),
  }),
  fc.record({
    act: fc.constantFrom('take' as const, 'debit' as const, 'giveBack' as const),
    ms: fc.constant(0),
  }),
);
const steps = fc.array(step, { maxLength: 120 });

/** Checks that a number of seconds is the milliseconds rounded up, except for floating-point errors. */
function assertCeiling(seconds: number, ms: number): void {
  assert.ok(Number.isInteger(seconds));
  const roundingError = 1e-3;
  assert.ok(seconds * 1000 >= ms - roundingError, `${seconds} s is less than ${ms} ms`);
  assert.ok((seconds - 1) * 1000 <= ms + roundingError, `${seconds} s is too much for ${ms} ms`);
}

suite('buckets', () => {
  test('behave like the simple model for any sequence of actions', () => {
    fc.assert(
      fc.property(perMinutes, steps, (perMinute, todo) => {
        const time = clock();
        const buckets = createBuckets(time.now);
        const model = new Model(perMinute);
        for (const { act, ms } of todo) {
          if (act === 'go') {
            time.go(ms);
            model.go(ms);
          } else if (act === 'take') {
            const wait = buckets.take('a', perMinute);
            // At the exact boundary, the rounding error may decide.
            if (Math.abs(model.wait) > 1e-6 || wait === 0)
              assert.equal(wait === 0, model.wait <= 1e-6);
            if (wait === 0) model.use();
            else assertCeiling(wait, Math.max(model.wait, 1));
          } else {
            buckets[act]('a', perMinute);
            if (act === 'debit') model.use();
            else model.giveBack();
          }
          const { remaining, fullInSeconds } = buckets.state('a', perMinute);
          assert.ok(Math.abs(remaining - model.remaining) <= 1);
          assert.ok(remaining >= 0 && remaining <= perMinute);
          assertCeiling(fullInSeconds, model.fullIn);
        }
      }),
      { numRuns: 400 },
    );
  });

  test('never give more than the quota and its refill', () => {
    fc.assert(
      fc.property(
        perMinutes,
        fc.array(fc.integer({ min: 0, max: 500 }), { maxLength: 300 }),
        (perMinute, pauses) => {
          const time = clock();
          const buckets = createBuckets(time.now);
          const began = time.now();
          let taken = 0;
          for (const pause of pauses) {
            time.go(pause);
            if (buckets.take('a', perMinute) === 0) taken += 1;
          }
          const flowedBack = ((time.now() - began) * perMinute) / 60_000;
          assert.ok(taken <= perMinute + flowedBack + 1e-6);
        },
      ),
    );
  });

  test('a refusal returns the wait: a call is available then, and not a second earlier', () => {
    fc.assert(
      fc.property(perMinutes, fc.integer({ min: 0, max: 59_999 }), (perMinute, pause) => {
        const time = clock();
        const emptied = (): LocalBuckets => {
          const buckets = createBuckets(time.now);
          for (let nth = 0; nth < perMinute; nth += 1) buckets.debit('a', perMinute);
          return buckets;
        };
        fc.pre(perMinute <= 2_000);
        const one = emptied();
        const two = emptied();
        time.go(pause);
        const wait = one.take('a', perMinute);
        if (wait === 0) return;
        assert.ok(Number.isInteger(wait) && wait >= 1);
        if (wait > 1) {
          time.go((wait - 1) * 1000);
          assert.notEqual(two.take('a', perMinute), 0);
          time.go(1000);
        } else {
          time.go(1000);
        }
        assert.equal(one.take('a', perMinute), 0);
      }),
    );
  });

  test('a refused take consumes nothing', () => {
    const time = clock();
    const buckets = createBuckets(time.now);
    assert.equal(buckets.take('a', 1), 0);
    time.go(59_500);
    for (let nth = 0; nth < 50; nth += 1) assert.equal(buckets.take('a', 1), 1);
    time.go(1_000);
    assert.equal(buckets.take('a', 1), 0);
  });

  test('reading the state changes nothing', () => {
    const time = clock();
    const buckets = createBuckets(time.now);
    buckets.take('a', 10);
    const shown = buckets.state('a', 10);
    for (let nth = 0; nth < 20; nth += 1) assert.deepEqual(buckets.state('a', 10), shown);
    assert.deepEqual(shown, { perMinute: 10, remaining: 9, fullInSeconds: 6 });
    assert.deepEqual(buckets.state('never seen', 10), {
      perMinute: 10,
      remaining: 10,
      fullInSeconds: 0,
    });
  });

  test('names have separate buckets', () => {
    const time = clock();
    const buckets = createBuckets(time.now);
    for (let nth = 0; nth < 5; nth += 1) buckets.take('a', 5);
    assert.notEqual(buckets.take('a', 5), 0);
    assert.equal(buckets.take('b', 5), 0);
  });

  test('changed quota › a smaller one cuts the level, a larger one refills faster', () => {
    const time = clock();
    const buckets = createBuckets(time.now);
    assert.equal(buckets.state('a', 100).remaining, 100);
    buckets.debit('a', 100);
    assert.equal(buckets.state('a', 10).remaining, 10);
    assert.equal(buckets.state('a', 100).remaining, 10);
    time.go(30_000);
    assert.equal(buckets.state('a', 100).remaining, 60);
  });

  test('full buckets are removed, others stay', () => {
    const time = clock();
    const buckets = createBuckets(time.now);
    for (let nth = 0; nth < 60; nth += 1) buckets.debit('kept', 60);
    for (let nth = 0; nth < 30_000; nth += 1) {
      buckets.state(`full ${nth}`, 60);
      assert.ok(nth % 5_000 > 0 || buckets.take('kept', 60) > 0);
    }
    time.go(500);
    assert.equal(buckets.take('kept', 60), 1);
    time.go(500);
    assert.equal(buckets.take('kept', 60), 0);
  });

  test('the number of buckets is bounded: the least recently used is dropped first', () => {
    const time = clock();
    const buckets = createBuckets(time.now);
    for (const name of ['old', 'used']) buckets.debit(name, 1);
    for (let nth = 0; nth < 99_999; nth += 1) {
      if (nth === 90_000) buckets.state('used', 1);
      buckets.debit(`name ${nth}`, 1);
    }
    assert.equal(buckets.state('used', 1).remaining, 0);
    assert.equal(buckets.state('old', 1).remaining, 1);
  });
});
