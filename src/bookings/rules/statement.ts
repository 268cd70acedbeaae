/** What a partner sold in a month: lines become sums. Pure. */
import type { Settlement } from '../../contract/wire.ts';
import { percentOf } from '../../pricing/index.ts';

/** What a line of a statement is about. */
export type StatementLineKind = 'sold' | 'changed' | 'cancelled';

/** One effect on what a partner has sold. */
export interface SaleLine {
  reference: string;
  kind: StatementLineKind;
  /** The day in UTC. */
  on: string;
  currency: string;
  /** In minor units; of a cancellation below 0. */
  amount: number;
  /** What of it is paid at the property. */
  atProperty: number;
}

/** Who collects, and the commission. */
export interface SaleTerms {
  settlement: Settlement;
  /** Null: none is set. */
  commissionPercent: number | null;
}

const sumOf = (lines: readonly SaleLine[], amountOf: (line: SaleLine) => number): number =>
  lines.reduce((sum, line) => sum + amountOf(line), 0);

const ofKind = (lines: readonly SaleLine[], kind: StatementLineKind): number =>
  sumOf(
    lines.filter((line) => line.kind === kind),
    ({ amount }) => amount,
  );

/** What a partner that collects owes: without what is paid at the property, less its commission. */
function owedOf(collected: number, { settlement, commissionPercent }: SaleTerms) {
  if (settlement === 'card') return { commission: null, owed: null };
  if (commissionPercent === null) return { commission: null, owed: collected };
  const commission = percentOf(collected, commissionPercent);
  return { commission, owed: collected - commission };
}

function sumsOf(currency: string, lines: readonly SaleLine[], terms: SaleTerms) {
  const sold = ofKind(lines, 'sold');
  const changed = ofKind(lines, 'changed');
  // Without -0, where nothing was cancelled.
  const cancelled = 0 - ofKind(lines, 'cancelled');
  const atProperty = sumOf(lines, (line) => line.atProperty);
  return {
    currency,
    sold,
    changed,
    cancelled,
    atProperty,
    ...owedOf(sold + changed - cancelled - atProperty, terms),
    lines: lines.map(({ reference, kind, on, amount }) => ({ reference, kind, on, amount })),
  };
}

/** Whether every sum of these lines is exact: amounts of a catalog may be very large. */
export const haveExactSums = (lines: readonly SaleLine[]): boolean =>
  Number.isSafeInteger(
    sumOf(lines, ({ amount, atProperty }) => Math.abs(amount) + Math.abs(atProperty)),
  );

/** The sums of each currency, by its name. Spec: MONEY-17. */
export const statementOf = (lines: readonly SaleLine[], terms: SaleTerms) =>
  [...Map.groupBy(lines, ({ currency }) => currency)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, own]) => sumsOf(currency, own, terms));
