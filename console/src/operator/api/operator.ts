/** The operations of the operator's API that the pages call, one function each. */
import { callerOf, queryOf } from '../../base/api/call.ts';
import type { AuditFilter, AuditPage } from './types.ts';

const call = callerOf('/operator/v1');

export const operator = {
  listAudit: (filter: AuditFilter, limit: number, signal: AbortSignal) =>
    call<AuditPage>('GET', `/audit${queryOf({ ...filter, limit })}`, { signal }),
} as const;
