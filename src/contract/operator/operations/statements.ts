import { Statement, StatementQuery } from '../../portal/schemas/statements.ts';
import { statementTable } from '../../tables.ts';
import { operatorLimits } from '../limits.ts';
import { tagged } from '../../complete-rows.ts';
import type { StatedRows } from '../row.ts';

/** What partners sold, for accountants. */
export const statementRows = tagged('Partners', {
  'operator.statement.get': {
    call: 'GET /operator/v1/applications/{applicationId}/statement',
    summary: 'Read what a partner sold, changed, cancelled and owes in a month',
    description: `By the month (UTC) of each effect. The commission is the one that is set now, so keep what you have sent. \`conflict\`: more than ${operatorLimits.statementLines} lines, or sums that are not exact.`,
    command: { name: 'statement', csv: statementTable },
    scope: 'read',
    query: StatementQuery,
    atOnce: operatorLimits.exportsAtOnce,
    reply: { 200: Statement },
    errors: ['not_found', 'conflict'],
  },
} as const satisfies StatedRows);
