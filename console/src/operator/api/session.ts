/** The operations on the caller's own session and account, and their queries. */
import { queryOptions } from '@tanstack/react-query';
import { CallFailure, callerOf } from '../../base/api/call.ts';
import type {
  AcceptedInvitation,
  Confirmation,
  InvitedAccount,
  NewFactor,
  Session,
  ProviderAddress,
  SessionList,
  SignIn,
  SignInOptions,
} from './types.ts';

const call = callerOf('/operator/v1');

export const account = {
  readOptions: (signal: AbortSignal) => call<SignInOptions>('GET', '/sign-in', { signal }),
  beginAtProvider: () => call<ProviderAddress>('POST', '/sign-in/provider', { body: {} }),
  completeAtProvider: (query: string, pending: string) =>
    call<Session>('POST', '/sign-in/provider/complete', { body: { query, pending } }),
  signIn: (body: SignIn) => call<Session>('POST', '/session', { body }),
  readSession: (signal: AbortSignal) => call<Session>('GET', '/session', { signal }),
  signOut: () => call<undefined>('DELETE', '/session'),
  stepUp: (body: Confirmation) => call<Session>('POST', '/session/step-up', { body }),
  listSessions: (signal: AbortSignal) => call<SessionList>('GET', '/sessions', { signal }),
  endSession: (sessionId: string) => call<undefined>('DELETE', `/sessions/${sessionId}`),
  findInvitation: (invitation: string, signal: AbortSignal) =>
    call<InvitedAccount>('POST', '/invitations/find', { body: { invitation }, signal }),
  acceptInvitation: (invitation: string, password: string) =>
    call<AcceptedInvitation>('POST', '/invitations/accept', { body: { invitation, password } }),
  changePassword: (password: string) =>
    call<undefined>('POST', '/account/password', { body: { password } }),
  beginSecondFactor: () => call<NewFactor>('POST', '/account/second-factor', { body: {} }),
  confirmSecondFactor: (code: string) =>
    call<undefined>('POST', '/account/second-factor/confirm', { body: { code } }),
  removeSecondFactor: () => call<undefined>('DELETE', '/account/second-factor'),
} as const;

/** The session; null: there is none. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }) => {
    try {
      return await account.readSession(signal);
    } catch (thrown) {
      if (thrown instanceof CallFailure && thrown.status === 401) return null;
      throw thrown;
    }
  },
  // Soon, where nothing is shown because the service could not be reached.
  refetchInterval: ({ state }) => (state.status === 'error' ? 5_000 : 60_000),
});

export const signInOptionsQuery = queryOptions({
  queryKey: ['sign-in'],
  queryFn: ({ signal }) => account.readOptions(signal),
  staleTime: Infinity,
});

/** The account that an invitation is for. Not read again: it cannot be once the invitation is used. */
export const invitationQuery = (invitation: string) =>
  queryOptions({
    queryKey: ['invitation', invitation],
    queryFn: ({ signal }) => account.findInvitation(invitation, signal),
    staleTime: 'static',
  });

export const ownSessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => account.listSessions(signal),
  refetchInterval: 15_000,
});
