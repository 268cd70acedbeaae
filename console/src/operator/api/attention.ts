/** The query of what waits for people. */
import { queryOptions } from '@tanstack/react-query';
import type { OperatorReplyOf } from '#contract/operator/operations.ts';
import { call } from './call.ts';

export type AttentionItem = OperatorReplyOf<'operator.attention.list'>['body']['items'][number];

const interval = 5_000;

export const attentionQuery = queryOptions({
  queryKey: ['attention'],
  queryFn: ({ signal }) => call('GET', '/attention', { query: {}, signal }),
  refetchInterval: interval,
});

/** Says that the unusual prices of a call are meant, which closes its item. */
export const confirmUnusual = (changeId: string) =>
  call('POST', '/rates/unusual/{changeId}/confirm', { params: { changeId } });
