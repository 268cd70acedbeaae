/** The one search. Its text is in the body: no address has it. */
import { queryOptions } from '@tanstack/react-query';
import type { OperatorReplyOf } from '#contract/operator/operations.ts';
import { call } from './call.ts';

export type Found = OperatorReplyOf<'operator.search.find'>['body'];

const freshMs = 10_000;

export const searchQuery = (text: string) =>
  queryOptions({
    queryKey: ['search', text],
    queryFn: ({ signal }) => call('POST', '/search', { body: { text }, signal }),
    staleTime: freshMs,
    gcTime: freshMs,
    retry: false,
  });
