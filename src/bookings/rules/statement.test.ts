import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { statementTable } from '../../contract/tables.ts';
import { haveExactSums, type SaleLine, statementOf } from './statement.ts';

const line = (over: Partial<SaleLine>): SaleLine => ({
  reference: 'LK-0000-0001',
  kind: 'sold',
  on: '2026-11-03',
  currency: 'EUR',
  amount: 0,
  atProperty: 0,
  ...over,
});

const document = (lines: readonly SaleLine[], terms: Parameters<typeof statementOf>[1]) => ({
  applicationId: '01a3f0c2-7b44-7e61-b0a9-5d2c8f1e6a37',
  application: 'Harbour Stays',
  month: '2026-11',
  ...terms,
  currencies: statementOf(lines, terms),
});

const anyLine = fc
  .record({
    kind: fc.constantFrom('sold' as const, 'changed' as const, 'cancelled' as const),
    currency: fc.constantFrom('EUR', 'USD', 'KWD'),
    size: fc.integer({ min: 0, max: 10_000_000 }),
    raises: fc.boolean(),
    atProperty: fc.integer({ min: -5_000, max: 5_000 }),
  })
  .map(({ size, raises, ...rest }) =>
    line({
      ...rest,
      amount: rest.kind === 'cancelled' || (rest.kind === 'changed' && !raises) ? 0 - size : size,
    }),
  );

const percent = fc.option(
  fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100),
);

describe('a statement', () => {
  // Spec: MONEY-17.
  it('sums of each kind; a cancellation is positive in its sum, and below 0 in its line', () => {
    const lines = [
      line({ amount: 60_000 }),
      line({ kind: 'changed', amount: -5_000 }),
      line({ kind: 'cancelled', amount: -40_000 }),
      line({ currency: 'AUD', amount: 7 }),
    ];
    const [aud, eur] = statementOf(lines, { settlement: 'partner', commissionPercent: 12.5 });
    assert.equal(aud!.currency, 'AUD');
    const { sold, changed, cancelled, commission, owed } = eur!;
    assert.deepEqual(
      { sold, changed, cancelled, commission, owed },
      { sold: 60_000, changed: -5_000, cancelled: 40_000, commission: 1_875, owed: 13_125 },
    );
    assert.deepEqual(eur!.lines.at(-1), {
      reference: 'LK-0000-0001',
      kind: 'cancelled',
      on: '2026-11-03',
      amount: -40_000,
    });
  });

  it('what is paid at the property is neither owed nor bears commission', () => {
    const [eur] = statementOf([line({ amount: 10_000, atProperty: 1_000 })], {
      settlement: 'partner',
      commissionPercent: 10,
    });
    assert.deepEqual(
      [eur!.sold, eur!.atProperty, eur!.commission, eur!.owed],
      [10_000, 1_000, 900, 8_100],
    );
  });

  it('the commission is rounded once, not for each line', () => {
    const lines = Array.from({ length: 4 }, () => line({ amount: 5 }));
    const [eur] = statementOf(lines, { settlement: 'partner', commissionPercent: 10 });
    // 10 % of 20; of each line it would be 1, together 4.
    assert.deepEqual([eur!.commission, eur!.owed], [2, 18]);
  });

  it('whoever has the cards charged owes nothing', () => {
    const [eur] = statementOf([line({ amount: 5 })], { settlement: 'card', commissionPercent: 10 });
    assert.deepEqual([eur!.sold, eur!.commission, eur!.owed], [5, null, null]);
  });

  it('sums that are not exact are known before they are made', () => {
    const huge = line({ amount: 2 ** 52 });
    assert.equal(haveExactSums([huge]), true);
    assert.equal(
      haveExactSums([huge, { ...huge, kind: 'cancelled', amount: -huge.amount }]),
      false,
    );
  });

  it('any lines: they add up to the sums, and JSON and CSV have the same figures', () => {
    fc.assert(
      fc.property(fc.array(anyLine), percent, (lines, commissionPercent) => {
        const shown = document(lines, { settlement: 'partner', commissionPercent });
        const { rows } = statementTable(shown);
        for (const { currency, sold, changed, cancelled, owed, ...sums } of shown.currencies) {
          const own = rows.filter(([of]) => of === currency);
          const add = (...kinds: string[]): number =>
            own.reduce(
              (sum, row) => sum + (kinds.includes(row[2] as string) ? (row[4] as number) : 0),
              0,
            );
          assert.deepEqual(
            [add('sold'), add('changed'), 0 - add('cancelled')],
            [sold, changed, cancelled],
          );
          const all = own.reduce((sum, row) => sum + (row[4] as number), 0);
          assert.equal(all, owed);
          // Once, half away from zero, calculated in whole numbers.
          const base = BigInt(sold + changed - cancelled - sums.atProperty);
          const size =
            (base < 0n ? -base : base) * BigInt(Math.round((commissionPercent ?? 0) * 100));
          const rounded = Number((2n * size + 10_000n) / 20_000n) * (base < 0n ? -1 : 1);
          assert.equal(0 + (sums.commission ?? 0), 0 + rounded || 0);
        }
        const counted = shown.currencies.reduce((sum, one) => sum + one.lines.length, 0);
        assert.equal(counted, lines.length);
      }),
    );
  });
});
