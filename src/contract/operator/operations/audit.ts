import type { OperatorRow } from '../row.ts';
import { AuditPage, AuditQuery } from '../schemas/audit.ts';

/** The audit trail. */
export const auditRows = {
  'operator.audit.list': {
    method: 'GET',
    path: '/operator/v1/audit',
    tag: 'Audit',
    summary: 'List the audit trail',
    description: 'Newest first.',
    scope: 'read',
    query: AuditQuery,
    reply: { 200: AuditPage },
    errors: [],
    command: {
      name: 'audit list',
      columns: ['happenedAt', 'actor', 'source', 'action', 'reference', 'applicationId', 'details'],
    },
  },
} as const satisfies Record<string, OperatorRow>;
