import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { refuse } from '../../contract/errors.ts';
import { quoteRefusal, type QuoteUse } from './quote.ts';

const expiresAt = 1_800_000_000_000;
const unused: QuoteUse = {
  quote: { expiresAt },
  now: expiresAt - 1,
  quoteUsed: false,
  partnerReferenceUsed: false,
};

const cases: [
  name: string,
  change: Partial<QuoteUse>,
  expected: ReturnType<typeof quoteRefusal>,
][] = [
  ['the last millisecond', {}, null],
  ['at its time', { now: expiresAt }, refuse('quote_expired')],
  ['used', { quoteUsed: true }, refuse('conflict', { reason: 'quote_used' })],
  [
    'a partner reference of another request',
    { partnerReferenceUsed: true },
    refuse('conflict', { reason: 'partner_reference' }),
  ],
  [
    'used and expired: used',
    { quoteUsed: true, now: expiresAt },
    refuse('conflict', { reason: 'quote_used' }),
  ],
  [
    'a used partner reference and expired: the reference',
    { partnerReferenceUsed: true, now: expiresAt },
    refuse('conflict', { reason: 'partner_reference' }),
  ],
];

suite('quote of a new booking', () => {
  for (const [name, change, expected] of cases) {
    test(`quote of a new booking › ${name}`, () => {
      assert.deepEqual(quoteRefusal({ ...unused, ...change }), expected);
    });
  }
});
