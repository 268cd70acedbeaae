/** The operations of the operator's API that the pages call, one function each. */
import { call } from './call.ts';
import { timeZoneHere } from '../../base/words/dates.ts';
import type { AuditFilter } from './types.ts';

export const operator = {
  listAudit: (filter: AuditFilter, limit: number, signal: AbortSignal) =>
    call('GET', '/audit', { query: { ...filter, timeZone: timeZoneHere, limit }, signal }),
} as const;
