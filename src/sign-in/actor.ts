import type { Actor } from '../api/call.ts';
import type { Role } from '../contract/operator/roles.ts';
import type { Session } from './store/sessions.ts';

/** A member of staff who is signed in, or a script with a token. */
export interface OperatorActor extends Actor {
  applicationId: null;
  /** The actor in the audit trail: `staff ada@example.com` or `token backups`. */
  name: string;
  role: Role;
  /** What it may do, of what its role may; null or absent: all of it. */
  scopes?: readonly string[] | null;
  /** Whether it is the token of a script. */
  isToken?: true;
  /** Whether secrets and money are open to it. Always true for a token. */
  isSteppedUp: boolean;
  /** The session of a member of staff. Null: it is a token. */
  session: Session | null;
}

/** An actor in a session. */
export type MemberActor = OperatorActor & { session: Session };

/** The name of a member of staff in the audit trail. */
export const memberName = (email: string): string => `staff ${email}`;
