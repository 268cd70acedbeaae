/** The operations on members of staff, tokens, settings and signing keys, and their queries. */
import { queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';
import type { Role, TokenIssue } from './types.ts';

const listInterval = 10_000;

export const staff = {
  list: (signal: AbortSignal) => call('GET', '/staff', { signal }),
  invite: (email: string, role: Role) => call('POST', '/staff', { body: { email, role } }),
  setRole: (staffId: string, role: Role, expectedVersion: number) =>
    call('PATCH', '/staff/{staffId}', { params: { staffId }, body: { role, expectedVersion } }),
  disable: (staffId: string) => call('POST', '/staff/{staffId}/disable', { params: { staffId } }),
  enable: (staffId: string) => call('POST', '/staff/{staffId}/enable', { params: { staffId } }),
  removeSecondFactor: (staffId: string) =>
    call('DELETE', '/staff/{staffId}/second-factor', { params: { staffId } }),
  listTokens: (cursor: string | undefined, signal: AbortSignal) =>
    call('GET', '/tokens', { query: { cursor }, signal }),
  issueToken: (body: TokenIssue) => call('POST', '/tokens', { body }),
  revokeToken: (tokenId: string) =>
    call('POST', '/tokens/{tokenId}/revoke', { params: { tokenId } }),
  readSettings: (signal: AbortSignal) => call('GET', '/settings', { signal }),
  listSigningKeys: (signal: AbortSignal) => call('GET', '/signing-keys', { signal }),
  rotateSigningKey: () => call('POST', '/signing-keys/rotate'),
} as const;

export const staffQuery = queryOptions({
  queryKey: ['staff'],
  queryFn: ({ signal }) => staff.list(signal),
  refetchInterval: listInterval,
});

export const tokensQuery = (cursor: string | undefined) =>
  queryOptions({
    queryKey: ['tokens', cursor],
    queryFn: ({ signal }) => staff.listTokens(cursor, signal),
    refetchInterval: listInterval,
  });

export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: ({ signal }) => staff.readSettings(signal),
  refetchInterval: listInterval,
});

export const signingKeysQuery = queryOptions({
  queryKey: ['signing-keys'],
  queryFn: ({ signal }) => staff.listSigningKeys(signal),
  refetchInterval: listInterval,
});
