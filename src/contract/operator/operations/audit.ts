import { operatorLimits } from '../limits.ts';
import { tagged } from '../../complete-rows.ts';
import type { StatedRows } from '../row.ts';
import * as schemas from '../schemas/audit.ts';

/** The audit trail. */
export const auditRows = tagged('Audit', {
  'operator.audit.list': {
    call: 'GET /operator/v1/audit',
    summary: 'List the audit trail',
    description: 'Newest first.',
    scope: 'read',
    query: schemas.AuditQuery,
    reply: { 200: schemas.AuditPage },
    command: {
      name: 'audit list',
      columns: ['happenedAt', 'actor', 'source', 'action', 'reference', 'applicationId', 'details'],
    },
  },
  'operator.audit.verify': {
    call: 'GET /operator/v1/audit/verify',
    summary: 'Verify the audit trail',
    description:
      'Reads the whole chain: each entry is hashed with the hash before it. A call verifies up to 20,000 links; while `hasMore`, the next one goes on with `after`, and with `expectedPosition` and `expectedHash` of the reply. `conflict`: an entry was changed, removed or added outside of the chain; the message names it. Keep position and hash of the reply elsewhere: with `expectedHash` a chain that was cut off or made anew is found, too.',
    scope: 'staff',
    atOnce: operatorLimits.reconcilesAtOnce,
    query: schemas.VerifyAudit,
    reply: { 200: schemas.VerifiedAudit },
    errors: ['conflict'],
    command: { name: 'audit verify' },
  },
  'operator.audit.export': {
    call: 'GET /operator/v1/audit/export',
    summary: 'Export the audit trail with its chain',
    description:
      'Oldest first. `line` is what was hashed: the SHA-256 of the hash before (32 bytes) and of the UTF-8 text of `line` is `hash`. So anybody can verify it.',
    scope: 'staff',
    query: schemas.AuditExportQuery,
    atOnce: operatorLimits.exportsAtOnce,
    reply: { 200: schemas.AuditExport },
    command: { name: 'audit export' },
  },
} as const satisfies StatedRows);
