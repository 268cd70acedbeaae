/** The operations on partner applications, and their queries. */
import { queryOptions } from '@tanstack/react-query';
import { callerOf } from '../../base/api/call.ts';
import type {
  Application,
  ApplicationChange,
  ApplicationFile,
  ApplicationList,
  CreatedApplication,
  IssuedKey,
  KeyList,
  NewApplication,
  PartnerKey,
  PortalLink,
  QuotaChange,
} from './types.ts';

const call = callerOf('/operator/v1');
const listInterval = 10_000;
const useInterval = 3_000;

export const partners = {
  list: (signal: AbortSignal) => call<ApplicationList>('GET', '/applications', { signal }),
  create: (body: NewApplication) => call<CreatedApplication>('POST', '/applications', { body }),
  read: (id: string, signal: AbortSignal) =>
    call<ApplicationFile>('GET', `/applications/${id}`, { signal }),
  change: (id: string, body: ApplicationChange) =>
    call<Application>('PATCH', `/applications/${id}`, { body }),
  setQuotas: (id: string, body: QuotaChange) =>
    call<Application>('PATCH', `/applications/${id}/quotas`, { body }),
  suspend: (id: string, reason: string) =>
    call<Application>('POST', `/applications/${id}/suspend`, {
      body: reason === '' ? {} : { reason },
    }),
  resume: (id: string) => call<Application>('POST', `/applications/${id}/resume`, { body: {} }),
  issueLink: (id: string) =>
    call<PortalLink>('POST', `/applications/${id}/portal-link`, { body: {} }),
  listKeys: (id: string, signal: AbortSignal) =>
    call<KeyList>('GET', `/applications/${id}/keys`, { signal }),
  issueKey: (id: string) => call<IssuedKey>('POST', `/applications/${id}/keys`, { body: {} }),
  revokeKey: (keyId: string) =>
    call<PartnerKey>('POST', `/keys/${encodeURIComponent(keyId)}/revoke`, { body: {} }),
} as const;

export const partnersQuery = queryOptions({
  queryKey: ['partners'],
  queryFn: ({ signal }) => partners.list(signal),
  refetchInterval: listInterval,
});

export const partnerQuery = (id: string) =>
  queryOptions({
    queryKey: ['partners', id],
    queryFn: ({ signal }) => partners.read(id, signal),
    refetchInterval: useInterval,
  });

export const keysQuery = (id: string) =>
  queryOptions({
    queryKey: ['partners', id, 'keys'],
    queryFn: ({ signal }) => partners.listKeys(id, signal),
    refetchInterval: listInterval,
  });
