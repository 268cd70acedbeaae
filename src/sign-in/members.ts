/** What staff do with the accounts of members. */
import { instant } from '../contract/time.ts';
import { seenRefusal, shownVersion } from '../access/index.ts';
import type { Seen } from '../api/seen.ts';
import { type ErrorCode, isRefusal, type Refusal } from '../contract/errors.ts';
import type { AuditAction } from '../contract/operator/audit-actions.ts';
import { refuseConflict, refuseStaff } from '../contract/operator/errors.ts';
import { operatorLimits } from '../contract/operator/limits.ts';
import type { OperatorReplyOf } from '../contract/operator/operations.ts';
import type { Role } from '../contract/operator/roles.ts';
import { auditedChange } from '../platform/audit/audited-change.ts';
import { currentOrigin } from '../platform/audit/origin.ts';
import type { Database, Executor } from '../platform/postgres/database.ts';
import { memberName } from './actor.ts';
import { newSecret, secretDigest } from '../platform/secret.ts';
import { accountEmail } from './sign-in.ts';
import { deleteInvitation, putInvitation } from './store/invitations.ts';
import {
  findListedMember,
  findMemberByEmail,
  insertMember,
  type ListedMember,
  listMembers,
  lockAdministrators,
  lockMember,
  type Member,
  setMember,
} from './store/members.ts';
import { deletePasskeys } from './store/passkeys.ts';
import { deleteSessions } from './store/sessions.ts';

type MemberView = OperatorReplyOf<'operator.staff.list'>['body']['items'][number];

function stateOf({ disabledAt, hasPassword, signedInAt }: ListedMember): MemberView['state'] {
  if (disabledAt !== null) return 'disabled';
  return hasPassword || signedInAt !== null ? 'active' : 'invited';
}

/** The version of what administrators edit of an account. */
const memberVersion = ({ role, disabledAt }: Pick<Member, 'role' | 'disabledAt'>): number =>
  shownVersion({ role, isDisabled: disabledAt !== null });

const memberView = (member: ListedMember): MemberView => ({
  staffId: member.staffId,
  email: member.email,
  role: member.role,
  state: stateOf(member),
  hasSecondFactor: member.hasSecondFactor,
  sessions: member.sessions,
  signedInAt: instant(member.signedInAt),
  invitedUntil: instant(member.invitedUntil),
  createdAt: instant(member.createdAt),
  version: memberVersion(member),
});

/** Lists all members of staff, by address. */
export const listStaff = async (executor: Executor): Promise<{ items: MemberView[] }> => ({
  items: (await listMembers(executor)).map(memberView),
});

/** The member to invite: a new one, or the existing one with the same role. */
async function invitedMember(
  executor: Executor,
  input: { email: string; role: Role },
): Promise<Member | Refusal<'conflict'>> {
  const inserted = await insertMember(executor, input);
  if (inserted) return inserted;
  const { staffId } = (await findMemberByEmail(executor, input.email))!;
  const member = (await lockMember(executor, staffId))!;
  if (member.disabledAt !== null) {
    return refuseConflict(`${input.email} is disabled: enable the account first.`);
  }
  if (member.role !== input.role) {
    return refuseConflict(`${input.email} has the role ${member.role}: change it separately.`);
  }
  return member;
}

/**
 * Makes an account, and a link that sets its password. For an account that exists: a new link. Refuses one that is
 * disabled or has another role.
 */
export async function inviteStaff(
  database: Database,
  actor: string,
  { email, role, baseUrl }: { email: string; role: Role; baseUrl: string },
): Promise<{ url: string; expiresAt: string } | Refusal<'conflict'>> {
  const secret = newSecret();
  const invite = async (executor: Executor) => {
    const member = await invitedMember(executor, { email: accountEmail(email), role });
    if (isRefusal(member)) return member;
    const expiresAt = await putInvitation(executor, {
      staffId: member.staffId,
      digest: secretDigest(secret),
      hours: operatorLimits.invitationHours,
    });
    return { member, expiresAt: instant(expiresAt) };
  };
  const invited = await auditedChange(database, invite, ({ member, expiresAt: until }) => ({
    actor,
    action: 'staff.invite',
    details: { email: member.email, role, expiresAt: until },
  }));
  if (isRefusal(invited)) return invited;
  // In the fragment, which browsers do not send, so that no server logs it.
  const url = `${baseUrl}/operator/invitation#invitation=${secret}`;
  return { url, expiresAt: invited.expiresAt };
}

/** The ID of a member, by address. */
export async function staffIdOf(
  executor: Executor,
  email: string,
): Promise<string | Refusal<'not_found'>> {
  const member = await findMemberByEmail(executor, accountEmail(email));
  if (member) return member.staffId;
  return refuseStaff('not_found', `There is no member of staff with the address ${email}.`);
}

/** A change of an account: what it does, and what the audit trail says about it. */
interface AccountChange<Code extends ErrorCode> {
  action: AuditAction;
  /** Returns the details; undefined: there was nothing to change. */
  change(
    executor: Executor,
    member: Member,
    isLastAdministrator: boolean,
  ): Promise<Record<string, unknown> | Refusal<Code> | undefined>;
}

/** Refuses to take away the last administrator. The command line may: it also makes the first one. Null: it may be. */
const lastAdministratorRefusal = (isLastAdministrator: boolean): Refusal<'conflict'> | null =>
  !isLastAdministrator || currentOrigin()?.by === 'command line'
    ? null
    : refuseConflict(
        'No other administrator can sign in: invite one first, or use the command line.',
      );

async function changeMember<Code extends ErrorCode = never>(
  database: Database,
  actor: string,
  staffId: string,
  { action, change }: AccountChange<Code>,
): Promise<MemberView | Refusal<Code | 'not_found' | 'conflict'>> {
  const changed = async (executor: Executor) => {
    // First, so that everybody locks in the same order: two administrators cannot disable each other at once.
    const administrators = await lockAdministrators(executor);
    const member = await lockMember(executor, staffId);
    if (!member) return refuseStaff('not_found', 'There is no such member of staff.');
    if (memberName(member.email) === actor) {
      return refuseConflict('You cannot do this to your own account: ask another administrator.');
    }
    const isLast = administrators.length === 1 && administrators[0] === staffId;
    const details = await change(executor, member, isLast);
    if (isRefusal(details)) return details;
    return details && { email: member.email, ...details };
  };
  const done = await auditedChange(database, changed, (details) => ({
    actor,
    action,
    details: details as Record<string, unknown>,
  }));
  if (isRefusal(done)) return done;
  return memberView((await findListedMember(database, staffId))!);
}

/** Changes the role of a member. */
export const setRole = (
  database: Database,
  actor: string,
  staffId: string,
  { role, seen }: { role: Role; seen?: Seen | undefined },
) =>
  changeMember(database, actor, staffId, {
    action: 'staff.set-role',
    async change(executor, member, isLastAdministrator) {
      const unseen = seenRefusal(seen, memberVersion(member), member.email);
      if (unseen) return unseen;
      if (member.role === role) return undefined;
      const refusal = lastAdministratorRefusal(isLastAdministrator);
      if (refusal) return refusal;
      await setMember(executor, staffId, 'role', role);
      return { before: member.role, after: role };
    },
  });

/** Disables a member, and ends its sessions and invitation. */
export const disableStaff = (database: Database, actor: string, staffId: string) =>
  changeMember(database, actor, staffId, {
    action: 'staff.disable',
    async change(executor, { disabledAt }, isLastAdministrator) {
      if (disabledAt !== null) return undefined;
      const refusal = lastAdministratorRefusal(isLastAdministrator);
      if (refusal) return refusal;
      await setMember(executor, staffId, 'disabled', true);
      await deleteInvitation(executor, staffId);
      return { endedSessions: await deleteSessions(executor, staffId, null) };
    },
  });

/** Enables a member that was disabled. */
export const enableStaff = (database: Database, actor: string, staffId: string) =>
  changeMember(database, actor, staffId, {
    action: 'staff.enable',
    async change(executor, { disabledAt }) {
      if (disabledAt === null) return undefined;
      await setMember(executor, staffId, 'disabled', false);
      return {};
    },
  });

/** Removes the second factor that a member has lost, and ends its sessions. */
export const removeSecondFactor = (database: Database, actor: string, staffId: string) =>
  changeMember(database, actor, staffId, {
    action: 'staff.second-factor.remove',
    async change(executor, { secondFactor }) {
      const passkeys = await deletePasskeys(executor, staffId);
      if (secondFactor === null && passkeys === 0) {
        return refuseConflict('This account has no second factor.');
      }
      await setMember(executor, staffId, 'second_factor', null);
      return { passkeys, endedSessions: await deleteSessions(executor, staffId, null) };
    },
  });

/** Ends all sessions of a member, who can sign in again. */
export const endSessionsOf = (database: Database, actor: string, staffId: string) =>
  changeMember(database, actor, staffId, {
    action: 'staff.end-sessions',
    change: async (executor) => ({ endedSessions: await deleteSessions(executor, staffId, null) }),
  });
