/** The operations on members of staff, tokens, settings and signing keys, and their queries. */
import { queryOptions } from '@tanstack/react-query';
import { callerOf } from '../../base/api/call.ts';
import type {
  IssuedInvitation,
  IssuedToken,
  OperatorToken,
  Role,
  Settings,
  SigningKey,
  SigningKeyList,
  StaffList,
  StaffMember,
  TokenIssue,
  TokenList,
} from './types.ts';

const call = callerOf('/operator/v1');
const listInterval = 10_000;

export const staff = {
  list: (signal: AbortSignal) => call<StaffList>('GET', '/staff', { signal }),
  invite: (email: string, role: Role) =>
    call<IssuedInvitation>('POST', '/staff', { body: { email, role } }),
  setRole: (staffId: string, role: Role) =>
    call<StaffMember>('PATCH', `/staff/${staffId}`, { body: { role } }),
  disable: (staffId: string) =>
    call<StaffMember>('POST', `/staff/${staffId}/disable`, { body: {} }),
  enable: (staffId: string) => call<StaffMember>('POST', `/staff/${staffId}/enable`, { body: {} }),
  removeSecondFactor: (staffId: string) =>
    call<StaffMember>('DELETE', `/staff/${staffId}/second-factor`),
  listTokens: (signal: AbortSignal) => call<TokenList>('GET', '/tokens', { signal }),
  issueToken: (body: TokenIssue) => call<IssuedToken>('POST', '/tokens', { body }),
  revokeToken: (tokenId: string) =>
    call<OperatorToken>('POST', `/tokens/${tokenId}/revoke`, { body: {} }),
  readSettings: (signal: AbortSignal) => call<Settings>('GET', '/settings', { signal }),
  listSigningKeys: (signal: AbortSignal) =>
    call<SigningKeyList>('GET', '/signing-keys', { signal }),
  rotateSigningKey: () => call<SigningKey>('POST', '/signing-keys/rotate', { body: {} }),
} as const;

export const staffQuery = queryOptions({
  queryKey: ['staff'],
  queryFn: ({ signal }) => staff.list(signal),
  refetchInterval: listInterval,
});

export const tokensQuery = queryOptions({
  queryKey: ['tokens'],
  queryFn: ({ signal }) => staff.listTokens(signal),
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
