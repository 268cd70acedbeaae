import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { partOf, refundNumberOf } from './adoption.ts';

describe('the part of an effect that was lost', () => {
  it('is what its name says', () => {
    assert.deepEqual(partOf({ part: 'booking' }), { purpose: 'booking', dueOn: null });
    assert.deepEqual(partOf({ part: 'instalment 2027-02-01' }), {
      purpose: 'instalment',
      dueOn: '2027-02-01',
    });
    assert.deepEqual(partOf({ part: 'difference 2027-02-03' }), {
      purpose: 'difference',
      dueOn: '2027-02-03',
    });
    assert.equal(refundNumberOf({ part: 'refund 12' }), 12);
  });

  it('is a difference without a name, or with one of a later version', () => {
    for (const part of [null, '', 'instalment', 'booking 2', 'deposit 2027-02-01']) {
      assert.deepEqual(partOf({ part }), { purpose: 'difference', dueOn: null });
      assert.equal(refundNumberOf({ part }), null);
    }
  });
});
