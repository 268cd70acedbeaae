/** What administrators do with the accounts of staff. */
import {
  disableStaff,
  enableStaff,
  endSessionsOf,
  inviteStaff,
  listStaff,
  removeSecondFactor,
  setRole,
} from '../members.ts';
import { requireSecondFactor } from '../require-factor.ts';
import { memberActs } from './acts.ts';

/** Accounts: listed, invited, changed, disabled. */
export const staffMemberActs = memberActs({
  'operator.staff.list': ({ context }) => context.reads.run(listStaff),
  'operator.staff.invite': ({ context: { database, baseUrl }, actor, body }) =>
    inviteStaff(database, actor.name, { ...body, baseUrl }),
  'operator.staff.change': ({ context, actor, params, body: { role }, seen }) =>
    setRole(context.database, actor.name, params.staffId, { role, seen }),
  'operator.staff.disable': ({ context, actor, params }) =>
    disableStaff(context.database, actor.name, params.staffId),
  'operator.staff.enable': ({ context, actor, params }) =>
    enableStaff(context.database, actor.name, params.staffId),
  'operator.staff.endSessions': ({ context, actor, params }) =>
    endSessionsOf(context.database, actor.name, params.staffId),
  'operator.staff.requireSecondFactor': ({ context, actor, body: { required } }) =>
    requireSecondFactor(context.database, actor.name, required),
  'operator.staff.removeSecondFactor': ({ context, actor, params }) =>
    removeSecondFactor(context.database, actor.name, params.staffId),
});
