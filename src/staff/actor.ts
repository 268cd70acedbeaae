import type { Actor } from '../api/call.ts';
import type { Role } from '../contract/operator/roles.ts';
import type { EpochMs } from '../contract/time.ts';

/** A member of staff who is signed in, or a script with a token. */
export interface OperatorActor extends Actor {
  applicationId: null;
  /** The actor in the audit trail: `staff ada@example.com` or `token backups`. */
  name: string;
  role: Role;
  /** Until when secrets and money are open to it; null: always, it is a token. */
  steppedUpUntil: EpochMs | null;
}
