/** Administration of staff accounts. */
import { instant } from '../contract/time.ts';
import { checkSeen, noSuch, OperatorRefusal, shownVersion } from '../access/index.ts';
import type { Seen } from '../api/seen.ts';
import type { AuditAction } from '../contract/operator/audit-actions.ts';
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
): Promise<Member> {
  const inserted = await insertMember(executor, input);
  if (inserted) return inserted;
  const { staffId } = (await findMemberByEmail(executor, input.email))!;
  const member = (await lockMember(executor, staffId))!;
  if (member.disabledAt !== null) {
    throw new OperatorRefusal(`${input.email} is disabled: enable the account first.`);
  }
  if (member.role !== input.role) {
    throw new OperatorRefusal(`${input.email} has the role ${member.role}: change it separately.`);
  }
  return member;
}

/**
 * Makes an account, and a link that sets its password. For an account that exists: a new link. Throws
 * `OperatorRefusal` if that one is disabled or has another role.
 */
export async function inviteStaff(
  database: Database,
  actor: string,
  { email, role, baseUrl }: { email: string; role: Role; baseUrl: string },
): Promise<{ url: string; expiresAt: string }> {
  const secret = newSecret();
  const invite = async (executor: Executor) => {
    const member = await invitedMember(executor, { email: accountEmail(email), role });
    const expiresAt = await putInvitation(executor, {
      staffId: member.staffId,
      digest: secretDigest(secret),
      hours: operatorLimits.invitationHours,
    });
    return { member, expiresAt: instant(expiresAt) };
  };
  const { expiresAt } = await auditedChange(database, invite, ({ member, expiresAt: until }) => ({
    actor,
    action: 'staff.invite',
    applicationId: null,
    details: { email: member.email, role, expiresAt: until },
  }));
  // In the fragment, which browsers do not send, so that no server logs it.
  return { url: `${baseUrl}/operator/invitation#invitation=${secret}`, expiresAt };
}

/** The ID of a member, by address. Throws `OperatorRefusal`. */
export async function staffIdOf(executor: Executor, email: string): Promise<string> {
  const member = await findMemberByEmail(executor, accountEmail(email));
  if (!member) throw noSuch(`There is no member of staff with the address ${email}.`);
  return member.staffId;
}

/** A change of an account: what it does, and what the audit trail says about it. */
interface AccountChange {
  action: AuditAction;
  /** Throws `OperatorRefusal`. Returns the details; undefined: there was nothing to change. */
  change(
    executor: Executor,
    member: Member,
    isLastAdministrator: boolean,
  ): Promise<Record<string, unknown> | undefined>;
}

/** Refuses to take away the last administrator. The command line may: it also makes the first one. */
function keepLastAdministrator(isLastAdministrator: boolean): void {
  if (!isLastAdministrator || currentOrigin()?.by === 'command line') return;
  throw new OperatorRefusal(
    'No other administrator can sign in: invite one first, or use the command line.',
  );
}

async function changeMember(
  database: Database,
  actor: string,
  staffId: string,
  { action, change }: AccountChange,
): Promise<MemberView> {
  const changed = async (executor: Executor) => {
    // First, so that everybody locks in the same order: two administrators cannot disable each other at once.
    const administrators = await lockAdministrators(executor);
    const member = await lockMember(executor, staffId);
    if (!member) throw noSuch('There is no such member of staff.');
    if (memberName(member.email) === actor) {
      throw new OperatorRefusal(
        'You cannot do this to your own account: ask another administrator.',
      );
    }
    const isLast = administrators.length === 1 && administrators[0] === staffId;
    const details = await change(executor, member, isLast);
    return details && { email: member.email, ...details };
  };
  await auditedChange(database, changed, (details) => ({
    actor,
    action,
    applicationId: null,
    details,
  }));
  return memberView((await findListedMember(database, staffId))!);
}

/** Changes the role of a member. Throws `OperatorRefusal`. */
export const setRole = (
  database: Database,
  actor: string,
  staffId: string,
  { role, seen }: { role: Role; seen?: Seen | undefined },
) =>
  changeMember(database, actor, staffId, {
    action: 'staff.set-role',
    async change(executor, member, isLastAdministrator) {
      checkSeen(seen, memberVersion(member), `The version of ${member.email}`);
      if (member.role === role) return undefined;
      keepLastAdministrator(isLastAdministrator);
      await setMember(executor, staffId, 'role', role);
      return { before: member.role, after: role };
    },
  });

/** Disables a member, and ends its sessions and invitation. Throws `OperatorRefusal`. */
export const disableStaff = (database: Database, actor: string, staffId: string) =>
  changeMember(database, actor, staffId, {
    action: 'staff.disable',
    async change(executor, { disabledAt }, isLastAdministrator) {
      if (disabledAt !== null) return undefined;
      keepLastAdministrator(isLastAdministrator);
      await setMember(executor, staffId, 'disabled', true);
      await deleteInvitation(executor, staffId);
      return { endedSessions: await deleteSessions(executor, staffId, null) };
    },
  });

/** Enables a member that was disabled. Throws `OperatorRefusal`. */
export const enableStaff = (database: Database, actor: string, staffId: string) =>
  changeMember(database, actor, staffId, {
    action: 'staff.enable',
    async change(executor, { disabledAt }) {
      if (disabledAt === null) return undefined;
      await setMember(executor, staffId, 'disabled', false);
      return {};
    },
  });

/** Removes the second factor that a member has lost, and ends its sessions. Throws `OperatorRefusal`. */
export const removeSecondFactor = (database: Database, actor: string, staffId: string) =>
  changeMember(database, actor, staffId, {
    action: 'staff.second-factor.remove',
    async change(executor, { secondFactor }) {
      if (secondFactor === null) throw new OperatorRefusal('This account has no second factor.');
      await setMember(executor, staffId, 'second_factor', null);
      return { endedSessions: await deleteSessions(executor, staffId, null) };
    },
  });
