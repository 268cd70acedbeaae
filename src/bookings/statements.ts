import type { Application } from '../access/index.ts';
import { operatorLimits } from '../contract/operator/limits.ts';
import type { Executor } from '../platform/postgres/database.ts';
import { haveExactSums, statementOf } from './rules/statement.ts';
import { countSales, slicesOfSales } from './store/sales.ts';

// One slice is read well within the time of a statement.
const linesAtOnce = 5_000;

/** What a partner sold, changed, cancelled and owes in a month (UTC). Null: it has more lines, or larger sums, than a statement may have. */
export async function readStatement(executor: Executor, application: Application, month: string) {
  const { applicationId, name, settlement, commissionPercent } = application;
  const { statementLines } = operatorLimits;
  const sales = { applicationId, month };
  if ((await countSales(executor, sales, statementLines)) > statementLines) return null;
  const slices = await Array.fromAsync(slicesOfSales(executor, sales, linesAtOnce));
  const lines = slices.flat();
  if (lines.length > statementLines || !haveExactSums(lines)) return null;
  return {
    applicationId,
    application: name,
    settlement,
    month,
    commissionPercent,
    currencies: statementOf(lines, { settlement, commissionPercent }),
  };
}
