import { listAuditTrail } from '../../access/index.ts';
import { act } from '../kinds.ts';

/** Lists what staff and partners did. */
export const listAudit = act('operator.audit.list', {
  async reply({ context, query }) {
    const { limit, cursor, ...filter } = query;
    const body = await context.reads.run((from) => listAuditTrail(from, filter, { limit, cursor }));
    return { status: 200, body };
  },
});
