import { createContext, use } from 'react';
import { type OperatorScope, scopesOfRole } from '#contract/operator/roles.ts';
import type { Session } from '../api/types.ts';

/** The session of the pages. */
export const CurrentSession = createContext<Session | undefined>(undefined);

/** The session. It stays while the member of staff signs in again, so that pages keep what was typed. */
export function useSession(): Session {
  const session = use(CurrentSession);
  if (!session) throw new Error('this is outside the gate');
  return session;
}

/** Whether the role of the member of staff has a scope. Acts of other scopes are not offered: they are refused. */
export const useMay = (scope: OperatorScope): boolean =>
  scopesOfRole[useSession().role].includes(scope);
