import { listAuditTrail } from '../administration/audit-trail.ts';
import { accessActs } from './acts.ts';

/** What staff read of the audit trail. */
export const auditActs = accessActs({
  'operator.audit.list': ({ context, query: { limit, cursor, ...filter } }) =>
    context.reads.run((from) => listAuditTrail(from, filter, { limit, cursor })),
});
