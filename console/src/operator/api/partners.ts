/** The operations on partner applications, and their queries. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';
import type { ApplicationChange, ListedApplication, NewApplication, QuotaChange } from './types.ts';

const listInterval = 10_000;
const namesInterval = 60_000;
const useInterval = 3_000;

const of = (applicationId: string) => ({ params: { applicationId } });

export const partners = {
  list: (cursor: string | undefined, signal: AbortSignal) =>
    call('GET', '/applications', { query: { cursor }, signal }),
  create: (body: NewApplication) => call('POST', '/applications', { body }),
  read: (id: string, signal: AbortSignal) =>
    call('GET', '/applications/{applicationId}', { ...of(id), signal }),
  change: (id: string, body: ApplicationChange) =>
    call('PATCH', '/applications/{applicationId}', { ...of(id), body }),
  setQuotas: (id: string, body: QuotaChange) =>
    call('PATCH', '/applications/{applicationId}/quotas', { ...of(id), body }),
  suspend: (id: string, reason: string) =>
    call('POST', '/applications/{applicationId}/suspend', {
      ...of(id),
      body: reason === '' ? {} : { reason },
    }),
  resume: (id: string) => call('POST', '/applications/{applicationId}/resume', of(id)),
  issueLink: (id: string) => call('POST', '/applications/{applicationId}/portal-link', of(id)),
  listPeople: (id: string, signal: AbortSignal) =>
    call('GET', '/applications/{applicationId}/portal-people', { ...of(id), signal }),
  invitePerson: (id: string, body: { name: string; email: string }) =>
    call('POST', '/applications/{applicationId}/portal-people', { ...of(id), body }),
  removePerson: (applicationId: string, personId: string) =>
    call('DELETE', '/applications/{applicationId}/portal-people/{personId}', {
      params: { applicationId, personId },
    }),
  endPortalSession: (applicationId: string, sessionId: string) =>
    call('DELETE', '/applications/{applicationId}/portal-sessions/{sessionId}', {
      params: { applicationId, sessionId },
    }),
  listKeys: (id: string, signal: AbortSignal) =>
    call('GET', '/applications/{applicationId}/keys', { ...of(id), signal }),
  issueKey: (id: string) => call('POST', '/applications/{applicationId}/keys', of(id)),
  revokeKey: (keyId: string) => call('POST', '/keys/{keyId}/revoke', { params: { keyId } }),
} as const;

export type PortalPeople = Awaited<ReturnType<typeof partners.listPeople>>;
export type InvitedPerson = Awaited<ReturnType<typeof partners.invitePerson>>;

export const portalPeopleQuery = (id: string) =>
  queryOptions({
    queryKey: ['partners', id, 'people'],
    queryFn: ({ signal }) => partners.listPeople(id, signal),
    refetchInterval: listInterval,
  });

export const partnerPageQuery = (cursor: string | undefined) =>
  queryOptions({
    queryKey: ['partners', 'page', cursor],
    queryFn: ({ signal }) => partners.list(cursor, signal),
    refetchInterval: listInterval,
  });

async function listAll(signal: AbortSignal): Promise<{ items: ListedApplication[] }> {
  const items: ListedApplication[] = [];
  let cursor: string | undefined;
  do {
    const page = await partners.list(cursor, signal);
    items.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return { items };
}

/** All partners, for names and choices. */
export const partnersQuery = queryOptions({
  queryKey: ['partners'],
  queryFn: ({ signal }) => listAll(signal),
  refetchInterval: namesInterval,
});

export const partnerQuery = (id: string) =>
  queryOptions({
    queryKey: ['partners', id],
    queryFn: ({ signal }) => partners.read(id, signal),
    refetchInterval: useInterval,
  });

export const statementQuery = (applicationId: string, month: string) =>
  queryOptions({
    queryKey: ['partners', applicationId, 'statement', month],
    queryFn: ({ signal }) =>
      call('GET', '/applications/{applicationId}/statement', {
        ...of(applicationId),
        query: { month },
        signal,
      }),
    placeholderData: keepPreviousData,
  });

export const keysQuery = (id: string) =>
  queryOptions({
    queryKey: ['partners', id, 'keys'],
    queryFn: ({ signal }) => partners.listKeys(id, signal),
    refetchInterval: listInterval,
  });
