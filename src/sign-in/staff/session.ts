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
  beginPasskeySignIn,
  beginPasskeyStepUp,
  endSession,
  listOwnSessions,
  readSession,
  signIn,
  signInAtProvider,
  stepUp,
} from '../sign-in.ts';
import { addPasskey, beginPasskey, listOwnPasskeys, removeOwnPasskey } from '../passkeys.ts';
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

/** Begins signing in with a passkey. */
const beginSignInByPasskey = enter('operator.session.beginPasskey', {
  async reply({ context, body }) {
    const begun = await beginPasskeySignIn(context.signIn, body);
    return isRefusal(begun) ? begun : { status: 200, body: begun };
  },
});

/** Begins a step-up with a passkey. */
const beginStepUpByPasskey = actAsMember('operator.session.beginPasskeyStepUp', {
  async reply({ context, actor }) {
    const begun = await beginPasskeyStepUp(context.signIn, actor);
    return isRefusal(begun) ? begun : { status: 200, body: begun };
  },
});

/** Lists the caller's passkeys. */
const listPasskeysOfOwn = actAsMember('operator.account.listPasskeys', {
  async reply({ context, actor }) {
    return { status: 200, body: await listOwnPasskeys(context.signIn, actor) };
  },
});

/** Begins adding a passkey. */
const beginOwnPasskey = actAsMember('operator.account.beginPasskey', {
  async reply({ context, actor }) {
    return { status: 200, body: await beginPasskey(context.signIn, actor) };
  },
});

/** Adds a passkey that the browser has made. */
const addOwnPasskey = actAsMember('operator.account.addPasskey', {
  async reply({ context, actor, body }) {
    const added = await addPasskey(context.signIn, actor, body);
    return isRefusal(added) ? added : { status: 200, body: added };
  },
});

/** Removes one of the caller's passkeys. */
const removePasskeyOfOwn = actAsMember('operator.account.removePasskey', {
  async reply({ context, actor, params }) {
    const refusal = await removeOwnPasskey(context.signIn, actor, params.passkeyId);
    return refusal ?? { status: 204, body: null };
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
  'operator.session.beginPasskey': beginSignInByPasskey,
  'operator.session.beginPasskeyStepUp': beginStepUpByPasskey,
  'operator.account.listPasskeys': listPasskeysOfOwn,
  'operator.account.beginPasskey': beginOwnPasskey,
  'operator.account.addPasskey': addOwnPasskey,
  'operator.account.removePasskey': removePasskeyOfOwn,
};
