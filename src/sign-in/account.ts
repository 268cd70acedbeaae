/** What members of staff do with their own accounts. */
import { type ErrorCode, isRefusal, refuse, type Refusal } from '../contract/errors.ts';
import type { AuditAction } from '../contract/operator/audit-actions.ts';
import { refuseConflict, refuseOperator } from '../contract/operator/errors.ts';
import type { Role } from '../contract/operator/roles.ts';
import { auditedChange } from '../platform/audit/audited-change.ts';
import type { Executor } from '../platform/postgres/database.ts';
import { type MemberActor, memberName } from './actor.ts';
import { commonPassword } from './common-password.ts';
import type { SignInContext } from './context.ts';
import { base32, factorUrl } from './one-time-code.ts';
import { hashPassword } from './password.ts';
import { newFactor, useCode } from './second-factor.ts';
import { secretDigest } from '../platform/secret.ts';
import { findInvitation, useInvitation } from './store/invitations.ts';
import { lockMember, setMember } from './store/members.ts';
import { isSecondFactorRequired } from './store/required-factor.ts';
import { deleteSessions } from './store/sessions.ts';

/** Refuses a password that others try first. Null: it is none. */
function passwordRefusal(password: string, email: string): Refusal<'invalid_input'> | null {
  const message = commonPassword(password, email);
  return message === null
    ? null
    : refuse('invalid_input', { fields: [{ path: '/password', message }] });
}

/** Finds the account of an invitation, and does not use it up. */
export async function readInvitation(
  { database }: SignInContext,
  { invitation }: { invitation: string },
): Promise<{ email: string; role: Role } | Refusal<'unauthenticated'>> {
  const found = await findInvitation(database, secretDigest(invitation));
  if (!found) return refuseOperator('unauthenticated', 'invitation');
  return { email: found.email, role: found.role };
}

/** Sets the password of an invitation, uses it up, and ends all sessions of the account. */
export async function acceptInvitation(
  { database }: SignInContext,
  { invitation, password }: { invitation: string; password: string },
): Promise<{ email: string } | Refusal<'unauthenticated' | 'invalid_input'>> {
  const digest = secretDigest(invitation);
  const refusal = refuseOperator('unauthenticated', 'invitation');
  const found = await findInvitation(database, digest);
  if (!found) return refusal;
  const { staffId, email } = found;
  const weak = passwordRefusal(password, email);
  if (weak) return weak;
  const hash = await hashPassword(password);
  const accept = async (executor: Executor) => {
    const member = await lockMember(executor, staffId);
    if (member?.disabledAt !== null || !(await useInvitation(executor, digest))) return undefined;
    await setMember(executor, staffId, 'password_hash', hash);
    return { endedSessions: await deleteSessions(executor, staffId, null) };
  };
  const accepted = await auditedChange(database, accept, (details) => ({
    actor: memberName(email),
    action: 'staff.invitation.accept',
    details,
  }));
  return accepted ? { email } : refusal;
}

/** Changes the caller's account in one transaction, with its audit entry, and ends the other sessions. Null: it is done. */
async function changeOwn<Code extends ErrorCode = never>(
  { database }: SignInContext,
  { name, session }: MemberActor,
  action: AuditAction,
  change: (executor: Executor) => Promise<Refusal<Code> | void>,
): Promise<Refusal<Code> | null> {
  const { staffId, sessionId } = session;
  const changed = await auditedChange(
    database,
    async (executor) => {
      const refusal = await change(executor);
      if (isRefusal(refusal)) return refusal;
      return { endedSessions: await deleteSessions(executor, staffId, sessionId) };
    },
    (done) => {
      const details = done as { endedSessions: number };
      return { actor: name, action, details };
    },
  );
  return isRefusal(changed) ? changed : null;
}

/** Changes the caller's password, and ends the other sessions. Null: it is done. */
export async function changePassword(
  context: SignInContext,
  actor: MemberActor,
  password: string,
): Promise<Refusal<'invalid_input'> | null> {
  const weak = passwordRefusal(password, actor.session.email);
  if (weak) return weak;
  const hash = await hashPassword(password);
  return changeOwn(context, actor, 'staff.password.change', (executor) =>
    setMember(executor, actor.session.staffId, 'password_hash', hash),
  );
}

/** Makes a second factor that waits for its first code. */
export async function beginSecondFactor(
  { database }: SignInContext,
  { name, session: { staffId, email } }: MemberActor,
): Promise<{ secret: string; url: string }> {
  const { secret, sealed } = newFactor(database.vault, staffId);
  const begin = async (executor: Executor) => {
    await setMember(executor, staffId, 'pending_factor', sealed);
    return {};
  };
  const action = 'staff.second-factor.begin';
  await auditedChange(database, begin, (details) => ({ actor: name, action, details }));
  return { secret: base32(secret), url: factorUrl(secret, email) };
}

/** Uses the new second factor from now on, and ends the other sessions. Null: it is done. */
export async function confirmSecondFactor(
  context: SignInContext,
  actor: MemberActor,
  code: string,
): Promise<Refusal<'rate_limited' | 'conflict' | 'forbidden'> | null> {
  const { staffId } = actor.session;
  const takeBack = await context.throttle.confirmation(staffId);
  if (isRefusal(takeBack)) return takeBack;
  const confirm = async (
    executor: Executor,
  ): Promise<Refusal<'conflict' | 'forbidden'> | undefined> => {
    const member = (await lockMember(executor, staffId))!;
    const { pendingFactor: secondFactor } = member;
    if (secondFactor === null) return refuseConflict('There is no new second factor.');
    await setMember(executor, staffId, 'second_factor', secondFactor);
    if (await useCode(executor, { ...member, secondFactor }, code)) return undefined;
    return refuseOperator('forbidden', 'confirmation');
  };
  const refusal = await changeOwn(context, actor, 'staff.second-factor.add', confirm);
  if (!refusal) await takeBack();
  return refusal;
}

/** Removes the caller's second factor, and ends the other sessions. Null: it is done. */
export async function removeOwnSecondFactor(
  context: SignInContext,
  actor: MemberActor,
): Promise<Refusal<'conflict'> | null> {
  const { hasCode, hasPasskey, staffId } = actor.session;
  if (!hasCode) return refuseConflict('There is no second factor.');
  if (!hasPasskey && (await isSecondFactorRequired(context.database))) {
    return refuseConflict('A second factor is required: add another one in its place.');
  }
  return changeOwn(context, actor, 'staff.second-factor.remove', (executor) =>
    setMember(executor, staffId, 'second_factor', null),
  );
}
