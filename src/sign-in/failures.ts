/** What the audit trail keeps of tries to sign in that failed: never what was typed. */
import { isRefusal } from '../contract/errors.ts';
import { insertAuditEntry } from '../platform/audit/audit-entries.ts';
import { memberName } from './actor.ts';
import type { SignInContext } from './context.ts';
import { currentCaller } from './caller.ts';
import type { Member } from './store/members.ts';
import type { Session } from './store/sessions.ts';
import type { CountedTry, SignInFailure } from './throttle.ts';

/** An account to which somebody tried to sign in. Undefined: there is none, and what was typed is not kept. */
type Tried = Pick<Member, 'email'> | undefined;

/** Records that somebody could not sign in, unless too much of that was recorded within a minute. */
export async function recordFailedSignIn(
  { database, throttle }: SignInContext,
  account: string,
  member: Tried,
  reason: SignInFailure,
): Promise<void> {
  if (!(await throttle.recordsFailure(account, reason))) return;
  const { userAgent } = currentCaller();
  await insertAuditEntry(database, {
    actor: member ? memberName(member.email) : 'unknown account',
    action: 'staff.sign-in.fail',
    details: { reason, userAgent },
  });
}

/** Records that somebody with a session could not confirm who uses it, with the same limits. */
export async function recordFailedStepUp(
  { database, throttle }: SignInContext,
  { email, sessionId }: Session,
  reason: SignInFailure,
): Promise<void> {
  if (!(await throttle.recordsFailure(email, reason))) return;
  await insertAuditEntry(database, {
    actor: memberName(email),
    action: 'staff.session.step-up.fail',
    details: { reason, sessionId },
  });
}

/** Counts a try, and records one that the throttle refuses. */
export async function counted(
  taking: Promise<CountedTry>,
  record: (reason: 'throttled') => Promise<void>,
): Promise<CountedTry> {
  const taken = await taking;
  if (isRefusal(taken)) await record('throttled');
  return taken;
}
