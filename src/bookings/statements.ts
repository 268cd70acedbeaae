import type { Application } from '../access/index.ts';
import { operatorLimits } from '../contract/operator/limits.ts';
import type { Executor } from '../platform/postgres/database.ts';
import { haveExactSums, statementOf } from './rules/statement.ts';
import { listSales } from './store/sales.ts';

/** What a partner sold, changed, cancelled and owes in a month (UTC). Null: it has more lines, or larger sums, than a statement may have. */
export async function readStatement(executor: Executor, application: Application, month: string) {
  const { applicationId, name, settlement, commissionPercent } = application;
  const { statementLines } = operatorLimits;
  const lines = await listSales(executor, applicationId, month, statementLines + 1);
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
