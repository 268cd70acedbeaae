/** The operations on the caller's own session and account, and their queries. */
import { queryOptions } from '@tanstack/react-query';
import { CallFailure } from '../../base/api/call.ts';
import { call } from './call.ts';
import type { Confirmation, SignIn } from './types.ts';

export const account = {
  readOptions: (signal: AbortSignal) => call('GET', '/sign-in', { signal }),
  beginAtProvider: () => call('POST', '/sign-in/provider'),
  completeAtProvider: (query: string, pending: string) =>
    call('POST', '/sign-in/provider/complete', { body: { query, pending } }),
  signIn: (body: SignIn) => call('POST', '/session', { body }),
  beginPasskeySignIn: (email: string, password: string) =>
    call('POST', '/session/passkey', { body: { email, password } }),
  beginPasskeyStepUp: () => call('POST', '/session/step-up/passkey'),
  listPasskeys: (signal: AbortSignal) => call('GET', '/account/passkeys', { signal }),
  beginPasskey: () => call('POST', '/account/passkeys/begin'),
  addPasskey: (name: string, credential: string) =>
    call('POST', '/account/passkeys', { body: { name, credential } }),
  removePasskey: (passkeyId: string) =>
    call('DELETE', '/account/passkeys/{passkeyId}', { params: { passkeyId } }),
  readSession: (signal: AbortSignal) => call('GET', '/session', { signal }),
  signOut: () => call('DELETE', '/session'),
  stepUp: (body: Confirmation) => call('POST', '/session/step-up', { body }),
  listSessions: (signal: AbortSignal) => call('GET', '/sessions', { signal }),
  endSession: (sessionId: string) =>
    call('DELETE', '/sessions/{sessionId}', { params: { sessionId } }),
  findInvitation: (invitation: string, signal: AbortSignal) =>
    call('POST', '/invitations/find', { body: { invitation }, signal }),
  acceptInvitation: (invitation: string, password: string) =>
    call('POST', '/invitations/accept', { body: { invitation, password } }),
  changePassword: (password: string) => call('POST', '/account/password', { body: { password } }),
  beginSecondFactor: () => call('POST', '/account/second-factor'),
  confirmSecondFactor: (code: string) =>
    call('POST', '/account/second-factor/confirm', { body: { code } }),
  removeSecondFactor: () => call('DELETE', '/account/second-factor'),
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

export const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  queryFn: ({ signal }) => account.listPasskeys(signal),
});

export const ownSessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => account.listSessions(signal),
  refetchInterval: 15_000,
});
