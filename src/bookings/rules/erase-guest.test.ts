import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRefusal } from '../../contract/errors.ts';
import { decideErasure, type ErasedBooking } from './erase-guest.ts';

const over: ErasedBooking = {
  booking: { bookingId: 'b', kind: 'checkout', reference: 'LK-1', state: 'confirmed' },
  reservation: 'confirmed',
  checkOut: '2026-11-20',
  today: '2026-11-20',
  isMoneyOpen: false,
};
const failed = { ...over.booking, reference: null, state: 'failed' as const };

test('a person is erased when every stay is over or cancelled, no money is open, and every outcome is known', () => {
  const cases: [ErasedBooking, RegExp | null][] = [
    [over, null],
    [{ ...over, today: '2026-11-19' }, /LK-1 lasts until 2026-11-20/],
    [{ ...over, today: '2026-11-19', reservation: 'cancelled' }, null],
    [{ ...over, isMoneyOpen: true }, /Money of LK-1 is open/],
    [{ ...over, booking: failed, reservation: null, today: '2026-01-01' }, null],
    [{ ...over, booking: failed, reservation: null, isMoneyOpen: true }, /Money of checkout b/],
    ...(['pending', 'requires_action', 'uncertain', 'unresolved'] as const).map(
      (state): [ErasedBooking, RegExp] => [
        { ...over, booking: { ...failed, state }, reservation: null },
        /outcome of checkout b is not known/,
      ],
    ),
    [{ ...over, booking: { ...failed, state: 'ready' }, reservation: null }, null],
  ];
  for (const [one, problem] of cases) {
    const refused = decideErasure([over, one], 'Nothing was erased.');
    assert.equal(refused !== null, problem !== null, JSON.stringify(one));
    if (problem) assert.match(refused!.message!, problem);
    assert.ok(refused === null || isRefusal(refused));
  }
});

test('the first five reasons are told, and how many more there are', () => {
  const open = { ...over, isMoneyOpen: true };
  assert.match(
    decideErasure([open, open, open, open, open, open], 'Nothing was erased.')!.message!,
    /There are 1 more/,
  );
});
