import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Reservation } from './booking.ts';
import { decideAnnounced } from './reservation.ts';
import { NOW, reservation } from '../../../test/harness/domain-bookings.ts';

const at = new Date(NOW).toISOString();
const announced = (change: 'cancelled' | 'moved_one_day', inMs = 0): Partial<Reservation> => ({
  announced: { change, at: NOW + inMs },
});

suite('an announced change', () => {
  test('an announced change › absent: nothing is applied', () => {
    assert.equal(decideAnnounced(reservation(), NOW), null);
  });

  for (const change of ['cancelled', 'moved_one_day'] as const) {
    test(`an announced change › ${change}: not a millisecond early`, () => {
      assert.equal(decideAnnounced(reservation(announced(change, 1)), NOW), null);
      assert.ok(decideAnnounced(reservation(announced(change)), NOW));
    });
  }

  test('an announced change › cancelled: state, time and one event; the dates stay the same', () => {
    const before = reservation(announced('cancelled', -60_000));
    assert.deepEqual(decideAnnounced(before, NOW), {
      next: {
        ...before,
        version: 2,
        state: 'cancelled',
        cancelledAt: NOW,
        updatedAt: NOW,
        announced: null,
      },
      events: [
        {
          type: 'reservation.cancelled',
          data: {
            reference: 'LK-7Q4M-2XHV',
            checkoutId: 'booking',
            state: 'cancelled',
            cancelledAt: at,
          },
        },
      ],
    });
  });

  const moves: [from: [string, string], to: [string, string]][] = [
    [
      ['2027-03-30', '2027-04-01'],
      ['2027-03-31', '2027-04-02'],
    ],
    [
      ['2027-12-30', '2027-12-31'],
      ['2027-12-31', '2028-01-01'],
    ],
    [
      ['2028-02-28', '2028-02-29'],
      ['2028-02-29', '2028-03-01'],
    ],
  ];
  for (const [[checkIn, checkOut], to] of moves) {
    test(`an announced change › ${checkIn} to ${checkOut} move to ${to.join(' to ')}`, () => {
      const before = reservation({ ...announced('moved_one_day'), checkIn, checkOut });
      assert.deepEqual(decideAnnounced(before, NOW), {
        next: {
          ...before,
          version: 2,
          checkIn: to[0],
          checkOut: to[1],
          charges: {
            ...before.charges,
            nights: [
              { date: '2027-03-31', amount: 15_000 },
              { date: '2027-04-01', amount: 15_000 },
            ],
          },
          updatedAt: NOW,
          announced: null,
        },
        events: [
          {
            type: 'reservation.changed',
            data: {
              reference: 'LK-7Q4M-2XHV',
              checkoutId: 'booking',
              state: 'confirmed',
              changes: ['dates'],
              changedAt: at,
            },
          },
        ],
      });
    });
  }

  test('an announced change › is cleared after it is applied', () => {
    const first = decideAnnounced(reservation(announced('moved_one_day')), NOW);
    assert.ok(first);
    assert.equal(decideAnnounced(first.next, NOW + 60_000), null);
  });
});
