/** The query of the funnel. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { OperatorQueryOf, OperatorReplyOf } from '#contract/operator/operations.ts';
import { call } from './call.ts';

export type Funnel = OperatorReplyOf<'operator.funnel.read'>['body'];
export type FunnelFilter = {
  [Name in keyof OperatorQueryOf<'operator.funnel.read'>]?: string | undefined;
};

const interval = 30_000;

export const funnelQuery = (filter: FunnelFilter) =>
  queryOptions({
    queryKey: ['funnel', filter],
    queryFn: ({ signal }) => call('GET', '/funnel', { query: filter, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: interval,
  });
