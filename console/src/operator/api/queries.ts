/** The queries of the pages, with their cache keys and refetch intervals. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { operator } from './operator.ts';
import type { AuditFilter } from './types.ts';

const pageSize = 25;
const listInterval = 5_000;

export const auditQuery = (filter: AuditFilter) =>
  queryOptions({
    queryKey: ['audit', filter],
    queryFn: ({ signal }) => operator.listAudit(filter, pageSize, signal),
    placeholderData: keepPreviousData,
    refetchInterval: listInterval,
  });
