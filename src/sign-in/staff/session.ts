import { isRefusal } from '../../contract/errors.ts';
import { refuseStaff } from '../../contract/operator/errors.ts';
import {
  acceptInvitation,
  beginSecondFactor,
  changePassword,
  confirmSecondFactor,
  readInvitation,
  removeOwnSecondFactor,
} from '../account.ts';
import { staffCookie } from '../cookie.ts';
import {
  beginAtProvider,
  endSession,
  listOwnSessions,
  readSession,
  signIn,
  signInAtProvider,
  stepUp,
} from '../sign-in.ts';
import { actAsMember, enter } from './kinds.ts';

/** How staff can sign in. */
const signInOptions = enter('operator.signIn.options', {
  reply: ({ context }) => ({
    status: 200,
    body: {
      environment: context.environment,
      provider: context.signIn.provider?.host ?? null,
    },
  }),
});

/** Signs in by password. */
const beginStaffSession = enter('operator.session.begin', {
  async reply({ context, body }) {
    const begun = await signIn(context.signIn, body);
    if (isRefusal(begun)) return begun;
    const cookie = staffCookie.set(begun.secret, context.baseUrl);
    return { status: 201, body: begun.session, cookie };
  },
});

/** Begins signing in at the provider. */
const beginProvider = enter('operator.provider.begin', {
  async reply({ context }) {
    const begun = await beginAtProvider(context.signIn);
    return isRefusal(begun) ? begun : { status: 200, body: begun };
  },
});

/** Signs in with the answer of the provider. */
const completeProvider = enter('operator.provider.complete', {
  async reply({ context, body }) {
    const begun = await signInAtProvider(context.signIn, body);
    if (isRefusal(begun)) return begun;
    const cookie = staffCookie.set(begun.secret, context.baseUrl);
    return { status: 201, body: begun.session, cookie };
  },
});

/** Reads the session of the call. */
const getStaffSession = actAsMember('operator.session.get', {
  reply: ({ context, actor }) => ({ status: 200, body: readSession(context.signIn, actor) }),
});

/** Signs out, and removes the cookie; also if another call has ended the session meanwhile. */
const endStaffSession = actAsMember('operator.session.end', {
  async reply({ context, actor }) {
    await endSession(context.signIn, actor, actor.session.sessionId);
    return { status: 204, body: null, cookie: staffCookie.clear(context.baseUrl) };
  },
});

/** Opens secrets and money to the session. */
const stepUpSession = actAsMember('operator.session.stepUp', {
  async reply({ context, actor, body }) {
    const session = await stepUp(context.signIn, actor, body);
    return isRefusal(session) ? session : { status: 200, body: session };
  },
});

/** Lists the sessions of the caller. */
const listStaffSessions = actAsMember('operator.session.list', {
  async reply({ context, actor }) {
    return { status: 200, body: await listOwnSessions(context.signIn, actor) };
  },
});

/** Ends one of the caller's sessions. */
const endOtherSession = actAsMember('operator.session.endOther', {
  async reply({ context, actor, params }) {
    const isEnded = await endSession(context.signIn, actor, params.sessionId);
    return isEnded
      ? { status: 204, body: null }
      : refuseStaff('not_found', 'There is no such session.');
  },
});

/** Reads whose password an invitation sets. */
const findStaffInvitation = enter('operator.invitation.find', {
  async reply({ context, body }) {
    const found = await readInvitation(context.signIn, body);
    return isRefusal(found) ? found : { status: 200, body: found };
  },
});

/** Sets the password of an invitation. */
const acceptStaffInvitation = enter('operator.invitation.accept', {
  async reply({ context, body }) {
    const accepted = await acceptInvitation(context.signIn, body);
    return isRefusal(accepted) ? accepted : { status: 200, body: accepted };
  },
});

/** Changes the caller's password. */
const changeOwnPassword = actAsMember('operator.account.changePassword', {
  async reply({ context, actor, body }) {
    const refusal = await changePassword(context.signIn, actor, body.password);
    return refusal ?? { status: 204, body: null };
  },
});

/** Makes a second factor that waits for its first code. */
const beginOwnSecondFactor = actAsMember('operator.account.beginSecondFactor', {
  async reply({ context, actor }) {
    return { status: 201, body: await beginSecondFactor(context.signIn, actor) };
  },
});

/** Uses the second factor from now on. */
const confirmOwnSecondFactor = actAsMember('operator.account.confirmSecondFactor', {
  async reply({ context, actor, body }) {
    const refusal = await confirmSecondFactor(context.signIn, actor, body.code);
    return refusal ?? { status: 204, body: null };
  },
});

/** Removes the caller's second factor. */
const removeSecondFactorOfOwn = actAsMember('operator.account.removeSecondFactor', {
  async reply({ context, actor }) {
    const refusal = await removeOwnSecondFactor(context.signIn, actor);
    return refusal ?? { status: 204, body: null };
  },
});

/** Signing in, and what members of staff do with their own session and account. */
export const sessionOperations = {
  'operator.signIn.options': signInOptions,
  'operator.session.begin': beginStaffSession,
  'operator.provider.begin': beginProvider,
  'operator.provider.complete': completeProvider,
  'operator.session.get': getStaffSession,
  'operator.session.end': endStaffSession,
  'operator.session.stepUp': stepUpSession,
  'operator.session.list': listStaffSessions,
  'operator.session.endOther': endOtherSession,
  'operator.invitation.find': findStaffInvitation,
  'operator.invitation.accept': acceptStaffInvitation,
  'operator.account.changePassword': changeOwnPassword,
  'operator.account.beginSecondFactor': beginOwnSecondFactor,
  'operator.account.confirmSecondFactor': confirmOwnSecondFactor,
  'operator.account.removeSecondFactor': removeSecondFactorOfOwn,
};
