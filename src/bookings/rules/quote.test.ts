import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { refuse } from '../../contract/errors.ts';
import { quoteRefusal, type QuoteUse } from './quote.ts';

const expiresAt = 1_800_000_000_000;
const unused: QuoteUse = {
  quote: { expiresAt },
  now: expiresAt - 1,
  usedBy: null,
  referenceOf: null,
};

const checkout = { kind: 'checkout', bookingId: 'c1' } as const;

const cases: [
  name: string,
  change: Partial<QuoteUse>,
  expected: ReturnType<typeof quoteRefusal>,
][] = [
  ['the last millisecond', {}, null],
  ['at its time', { now: expiresAt }, refuse('quote_expired')],
  [
    'used by a checkout',
    { usedBy: checkout },
    refuse('conflict', { reason: 'quote_used', checkoutId: 'c1' }),
  ],
  [
    'used by a request',
    { usedBy: { kind: 'request', bookingId: 'r1' } },
    refuse('conflict', { reason: 'quote_used', reservationRequestId: 'r1' }),
  ],
  [
    'a partner reference of another request',
    { referenceOf: 'r2' },
    refuse('conflict', { reason: 'partner_reference', reservationRequestId: 'r2' }),
  ],
  [
    'used and expired: used',
    { usedBy: checkout, now: expiresAt },
    refuse('conflict', { reason: 'quote_used', checkoutId: 'c1' }),
  ],
  [
    'a used partner reference and expired: the reference',
    { referenceOf: 'r2', now: expiresAt },
    refuse('conflict', { reason: 'partner_reference', reservationRequestId: 'r2' }),
  ],
];

// Spec: QUOTE-7.
suite('quote of a new booking', () => {
  for (const [name, change, expected] of cases) {
    test(`quote of a new booking › ${name}`, () => {
      assert.deepEqual(quoteRefusal({ ...unused, ...change }), expected);
    });
  }
});
