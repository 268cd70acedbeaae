import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { freeHomesOf, listedHomes } from './free-homes.ts';
import type { TakenPart } from '../night-states.ts';
import { TakenNights, type Nights } from './taken-nights.ts';

const first = 20_000;
const size = 130;
// In three blocks, and on both sides of words and blocks.
const slots = [0, 1, 31, 32, 33, 34, 63, 8_190, 8_191, 8_192, 8_193, 16_383, 16_384, 16_400];

/** The same as plain sets of nights: those that something has, and those with the leads before them. */
class Model {
  from = first;
  readonly taken = slots.map(() => new Set<number>());
  readonly closed = slots.map(() => new Set<number>());

  set(home: number, { from, to }: Nights, taken: readonly TakenPart[]): void {
    const sets = [this.taken[home]!, this.closed[home]!];
    for (let night = from; night < to; night += 1) for (const set of sets) set.delete(night);
    for (const part of taken) this.add(home, part, { from, to });
  }

  add(home: number, { from, to, lead }: TakenPart, within = { from: -Infinity, to: Infinity }) {
    const last = Math.min(to, within.to);
    for (let night = Math.max(from - lead, within.from); night < last; night += 1) {
      this.closed[home]!.add(night);
      if (night >= from) this.taken[home]!.add(night);
    }
  }

  isFree(home: number, { from, to }: Nights): boolean {
    return [...this.closed[home]!].every((night) => night < from || night >= to);
  }
}

const home = fc.nat(slots.length - 1);
/** Nights that may lie before, in or after the window; `offset` counts from its first night. */
const nights = (atMost: number) =>
  fc.record({
    offset: fc.integer({ min: -5, max: size + 5 }),
    length: fc.integer({ min: 1, max: atMost }),
    lead: fc.constantFrom(0, 0, 1, 3),
  });
interface Relative {
  offset: number;
  length: number;
  lead?: number;
}

const change = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('set'),
      home,
      at: nights(40),
      taken: fc.array(nights(12), { maxLength: 3 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('move'),
      home,
      at: nights(1),
      taken: fc.constant<Relative[]>([]),
    }),
  },
);
const stay = fc.record({
  offset: fc.nat(size - 1),
  length: fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 127 })),
});
const list = fc.shuffledSubarray(
  slots.map((_, at) => at),
  { minLength: 1 },
);

function play(
  model: Model,
  bitmaps: TakenNights,
  {
    kind,
    home: changed,
    at,
    taken,
  }: { kind: string; home: number; at: Relative; taken: Relative[] },
): void {
  const nightsOf = ({ offset, length, lead = 0 }: Relative): TakenPart => ({
    from: model.from + offset,
    to: model.from + offset + length,
    lead,
  });
  if (kind === 'set') {
    const parts = taken.map(nightsOf);
    model.set(changed, nightsOf(at), parts);
    return bitmaps.set(slots[changed]!, nightsOf(at), parts);
  }
  const next = bitmaps.beginNext();
  assert.deepEqual(next, { from: model.from + size, to: model.from + size + 1 });
  // A move that did not end starts over.
  const all = { ...next, lead: 0 };
  bitmaps.markNext(slots[(changed + 1) % slots.length]!, all);
  bitmaps.beginNext();
  // With a lead, something begins after the next night.
  const { lead = 0 } = at;
  const marked = { from: next.from + lead, to: next.to + lead, lead };
  bitmaps.markNext(slots[changed]!, marked);
  slots.forEach((slot, each) => {
    if (model.taken[each]!.has(next.from)) bitmaps.markNext(slot, all);
    else if (model.closed[each]!.has(next.from)) {
      bitmaps.markNext(slot, { from: next.to, to: next.to + 1, lead: 1 });
    }
  });
  bitmaps.endNext();
  model.closed[changed]!.add(next.from);
  if (lead === 0) model.taken[changed]!.add(next.from);
  model.from += 1;
}

function assertSame(model: Model, bitmaps: TakenNights, homes: number[], asked: Relative): void {
  const from = model.from + asked.offset;
  const to = Math.min(from + asked.length, model.from + size);
  const found = freeHomesOf(bitmaps, listedHomes(Int32Array.from(homes, (each) => slots[each]!)), {
    checkIn: from,
    checkOut: to,
  });
  const expected = homes.flatMap((each, index) =>
    model.isFree(each, { from, to }) ? [index] : [],
  );
  const inOrder: number[] = [];
  for (let at = found.nextFree(0); at !== -1; at = found.nextFree(at + 1)) inOrder.push(at);
  assert.deepEqual(inOrder, expected);
  assert.equal(found.count(), expected.length);
  for (let night = from; night < to; night += 1) {
    const [each] = homes as [number];
    const isTaken = model.taken[each]!.has(night);
    assert.equal(bitmaps.isTaken(slots[each]!, night), isTaken);
    assert.equal(bitmaps.isLead(slots[each]!, night), !isTaken && model.closed[each]!.has(night));
  }
}

suite('the bitmaps of taken nights', () => {
  test('answer as plain sets do, while nights change and the window moves', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(change, list, stay), { maxLength: 30 }), (steps) => {
        const model = new Model();
        const bitmaps = new TakenNights(first, size);
        bitmaps.ensure(slots.at(-1)!);
        for (const [step, homes, asked] of steps) {
          play(model, bitmaps, step);
          assertSame(model, bitmaps, homes, asked);
        }
      }),
      { numRuns: 200 },
    );
  });

  test('filled at once, they are the same as changed one by one', () => {
    const taken = fc.array(fc.record({ home, at: nights(40) }), { maxLength: 60 });
    fc.assert(
      fc.property(taken, list, fc.array(stay, { minLength: 5 }), (marks, homes, stays) => {
        const model = new Model();
        const bitmaps = new TakenNights(first, size);
        bitmaps.ensure(slots.at(-1)!);
        for (const { home: each, at } of marks) {
          const { offset, length, lead } = at;
          const part = { from: first + offset, to: first + offset + length, lead };
          bitmaps.mark(slots[each]!, part);
          model.add(each, part);
        }
        for (let block = 0; block < bitmaps.blocks(); block += 1) bitmaps.fillRuns(block);
        for (const asked of stays) assertSame(model, bitmaps, homes, asked);
      }),
      { numRuns: 50 },
    );
  });

  test('the count of many homes is that of a walk over them', () => {
    const homes = 8_192 * 2 + 1_000;
    const input = fc.record({
      seed: fc.integer(),
      listed: fc.integer({ min: 1, max: homes }),
      busy: fc.constantFrom(0, 0.01, 0.5, 0.99, 1),
      nights: fc.constantFrom(1, 2, 3, 7, 28, 90),
    });
    fc.assert(
      fc.property(input, ({ seed, listed, busy, nights: length }) => {
        const bitmaps = new TakenNights(first, size);
        bitmaps.ensure(homes - 1);
        // A generator of Lehmer: quick, and the seed repeats it.
        let state = (seed & 0x7fff_fffe) + 1;
        for (let slot = 0; slot < homes; slot += 1) {
          state = (state * 48_271) % 0x7fff_ffff;
          if (state / 0x7fff_ffff >= busy) continue;
          const from = first + (state % length);
          bitmaps.mark(slot, { from, to: from + 1, lead: 0 });
        }
        for (let block = 0; block < bitmaps.blocks(); block += 1) bitmaps.fillRuns(block);
        const all = Int32Array.from({ length: listed }, (_, slot) => slot);
        const stayed = { checkIn: first, checkOut: first + length };
        const found = freeHomesOf(bitmaps, listedHomes(all), stayed);
        let walked = 0;
        for (let at = found.nextFree(0); at !== -1; at = found.nextFree(at + 1)) walked += 1;
        assert.equal(found.count(), walked);
      }),
      { numRuns: 100 },
    );
  });

  test('the window has an end: no stay beyond it is covered', () => {
    assert.throws(() => new TakenNights(first, 126), RangeError);
    const bitmaps = new TakenNights(first, size);
    assert.ok(bitmaps.covers({ checkIn: first, checkOut: first + size }));
    assert.ok(!bitmaps.covers({ checkIn: first - 1, checkOut: first + 3 }));
    assert.ok(!bitmaps.covers({ checkIn: first + 3, checkOut: first + size + 1 }));
    bitmaps.beginNext();
    assert.ok(!bitmaps.covers({ checkIn: first, checkOut: first + 1 }), 'it has left');
    assert.ok(
      !bitmaps.covers({ checkIn: first + size, checkOut: first + size + 1 }),
      'not known yet',
    );
    bitmaps.endNext();
    assert.ok(bitmaps.covers({ checkIn: first + size, checkOut: first + size + 1 }));
  });

  test('nights before something with a preparation are free, but no stay has them', () => {
    const bitmaps = new TakenNights(first, size);
    bitmaps.ensure(0);
    const lead = { from: first + 10, to: first + 14, lead: 2 };
    bitmaps.set(0, { from: first, to: first + size }, [lead]);
    const isFree = (from: number, to: number): boolean =>
      bitmaps.isFree(bitmaps.rowsOf({ checkIn: first + from, checkOut: first + to }), 0);
    assert.deepEqual([isFree(5, 8), isFree(5, 9), isFree(14, 16)], [true, false, true]);
    assert.deepEqual([bitmaps.isTaken(0, first + 9), bitmaps.isLead(0, first + 9)], [false, true]);
    assert.deepEqual(
      [bitmaps.isTaken(0, first + 10), bitmaps.isLead(0, first + 10)],
      [true, false],
    );
    bitmaps.set(0, { from: first, to: first + size }, []);
    assert.equal(isFree(5, 16), true);
  });
});
