import { daySeconds } from '../../contract/time.ts';
import {
  defaultTokenSeconds,
  disableStaff,
  enableStaff,
  inviteStaff,
  issueOperatorToken,
  listOperatorTokens,
  listStaff,
  removeSecondFactor,
  revokeOperatorToken,
  setRole,
} from '../../staff/index.ts';
import { act, actAsMember } from '../kinds.ts';

/** Lists members of staff. */
export const listStaffMembers = act('operator.staff.list', {
  async reply({ context }) {
    return { status: 200, body: await context.reads.run(listStaff) };
  },
});

/** Invites a member of staff. */
export const inviteStaffMember = actAsMember('operator.staff.invite', {
  async reply({ context: { database, baseUrl }, actor, body }) {
    const input = { ...body, baseUrl };
    return { status: 201, body: await inviteStaff(database, actor.name, input) };
  },
});

/** Changes the role of a member of staff. */
export const changeStaffMember = actAsMember('operator.staff.change', {
  async reply({ context, actor, params, body }) {
    const member = await setRole(context.database, actor.name, params.staffId, body.role);
    return { status: 200, body: member };
  },
});

/** Disables a member of staff. */
export const disableStaffMember = act('operator.staff.disable', {
  async reply({ context, actor, params }) {
    return { status: 200, body: await disableStaff(context.database, actor.name, params.staffId) };
  },
});

/** Enables a member of staff. */
export const enableStaffMember = actAsMember('operator.staff.enable', {
  async reply({ context, actor, params }) {
    return { status: 200, body: await enableStaff(context.database, actor.name, params.staffId) };
  },
});

/** Removes the second factor that a member of staff has lost. */
export const removeLostSecondFactor = actAsMember('operator.staff.removeSecondFactor', {
  async reply({ context, actor, params }) {
    const member = await removeSecondFactor(context.database, actor.name, params.staffId);
    return { status: 200, body: member };
  },
});

/** Lists tokens. */
export const listTokens = act('operator.token.list', {
  async reply({ context }) {
    return { status: 200, body: await context.reads.run(listOperatorTokens) };
  },
});

/** Issues a token. */
export const issueToken = actAsMember('operator.token.issue', {
  async reply({ context, actor, body: { name, role, expiresInDays } }) {
    const lifetimeSeconds =
      expiresInDays === undefined ? defaultTokenSeconds : expiresInDays * daySeconds;
    const input = { name, role, lifetimeSeconds };
    return { status: 201, body: await issueOperatorToken(context.database, actor.name, input) };
  },
});

/** Revokes a token. */
export const revokeToken = act('operator.token.revoke', {
  async reply({ context, actor, params }) {
    const token = await revokeOperatorToken(context.database, actor.name, params.tokenId);
    return { status: 200, body: token };
  },
});
