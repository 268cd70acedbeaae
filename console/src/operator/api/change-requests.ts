/** The calls and query of what partners ask to change. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { OperatorBodyOf, OperatorReplyOf } from '#contract/operator/operations.ts';
import { call } from './call.ts';

export type ChangeRequest = OperatorReplyOf<'operator.changeRequest.list'>['body']['items'][number];
export type AcceptedChange = OperatorReplyOf<'operator.changeRequest.accept'>['body'];
type Decision = OperatorBodyOf<'operator.changeRequest.accept'>;

const pageSize = 25;
const interval = 5_000;

export const changeRequests = {
  previewAccept: (changeRequestId: string, body: Decision) =>
    call('POST', '/change-requests/{changeRequestId}/accept/preview', {
      params: { changeRequestId },
      body,
    }),
  accept: (changeRequestId: string, body: Decision) =>
    call('POST', '/change-requests/{changeRequestId}/accept', {
      params: { changeRequestId },
      body,
    }),
  decline: (changeRequestId: string, body: Decision) =>
    call('POST', '/change-requests/{changeRequestId}/decline', {
      params: { changeRequestId },
      body,
    }),
} as const;

export const changeRequestsQuery = (cursor: string | undefined) =>
  queryOptions({
    queryKey: ['change-requests', cursor],
    queryFn: ({ signal }) =>
      call('GET', '/change-requests', { query: { cursor, limit: pageSize }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: interval,
  });
