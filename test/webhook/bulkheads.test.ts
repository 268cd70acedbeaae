/** What is slow has a bulkhead of its own. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import fc from 'fast-check';
import { createBulkheads, type LaneAttempt, type Bulkheads } from '../../src/webhooks/bulkheads.ts';

const limits = { quick: 4, trial: 2, slow: 3, waiting: 6, quickMs: 500 };

describe('the bulkheads', () => {
  let now = 0;
  let bulkheads: Bulkheads;

  beforeEach(() => {
    now = 0;
    bulkheads = createBulkheads(limits, () => now);
  });

  function begin(endpointId: string, count = 1): LaneAttempt[] {
    const attempts = Array.from({ length: count }, () => ({ endpointId }));
    attempts.forEach((attempt) => bulkheads.begin(attempt));
    return attempts;
  }

  /** Lets endpoints be known to answer quickly. */
  function proven(...endpointIds: string[]): void {
    for (const id of endpointIds) begin(id).forEach((attempt) => bulkheads.end(attempt, true));
  }

  it('try an unknown endpoint with one attempt, some at a time', () => {
    assert.equal(bulkheads.room('a'), 1);
    begin('a');
    assert.equal(bulkheads.room('a'), 0);
    assert.equal(bulkheads.room('b'), 1);
    begin('b');
    assert.equal(bulkheads.room('c'), 0);
  });

  it('are full at their limit, and have a free slot after an end', () => {
    proven('a', 'b');
    const [first] = begin('a', 4);
    assert.equal(bulkheads.room('b'), 0);
    bulkheads.end(first!, true);
    assert.equal(bulkheads.room('b'), 1);
  });

  it('move a slow attempt with its endpoint, and free its slot', () => {
    proven('hanging', 'b');
    begin('hanging', 4);
    now = 499;
    bulkheads.sort();
    assert.equal(bulkheads.room('b'), 0);
    now = 500;
    bulkheads.sort();
    assert.equal(bulkheads.room('b'), 4);
    assert.equal(bulkheads.room('hanging'), 0);
  });

  it('keep a failing endpoint apart from others, however fast it fails', () => {
    proven('good');
    bulkheads.failing('bad');
    begin('bad', 3);
    assert.equal(bulkheads.room('bad'), 0);
    assert.equal(bulkheads.room('good'), 4);
  });

  it('take an endpoint back that answers quickly and well', () => {
    bulkheads.failing('bad');
    const [attempt] = begin('bad');
    bulkheads.end(attempt!, true);
    assert.equal(bulkheads.room('bad'), 4);
    const [failed] = begin('bad');
    bulkheads.end(failed!, false);
    assert.equal(bulkheads.room('bad'), 3);
    const [slow] = begin('bad');
    now += 600;
    bulkheads.end(slow!, true);
    assert.equal(bulkheads.room('bad'), 3);
  });

  it('forget deleted endpoints', () => {
    bulkheads.failing('gone');
    begin('gone', 3);
    assert.equal(bulkheads.room('gone'), 0);
    bulkheads.keep(new Set());
    assert.equal(bulkheads.room('gone'), 1);
  });

  it('have slots for a healthy endpoint, however many do not respond', () => {
    const endpoint = fc.record({
      id: fc.integer({ min: 0, max: 50 }),
      wait: fc.integer({ min: 0, max: 700 }),
    });
    fc.assert(
      fc.property(fc.array(endpoint, { maxLength: 80 }), (steps) => {
        now = 0;
        bulkheads = createBulkheads(limits, () => now);
        proven('good');
        let hanging = 0;
        for (const { id, wait } of steps) {
          now += wait;
          bulkheads.sort();
          if (bulkheads.room(String(id)) > 0) {
            begin(String(id));
            hanging += 1;
          }
          assert.ok(hanging <= limits.waiting);
          assert.equal(bulkheads.room('good'), limits.quick);
        }
      }),
    );
  });
});
