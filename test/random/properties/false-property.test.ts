import * as fc from 'fast-check';
import { test } from 'node:test';
import { canaryVariable } from '../../harness/property-seed.ts';

const skip = process.env[canaryVariable] === undefined && 'only for `npm run random -- --canary`';

test('the planted defect: a list is its reverse', { skip }, () => {
  fc.assert(fc.property(fc.array(fc.integer()), (list) => `${list}` === `${list.toReversed()}`));
});
