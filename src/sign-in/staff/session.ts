/** Signing in, and what members of staff do with their own session and account. */
import { isRefusal } from '../../contract/errors.ts';
import { refuseStaff } from '../../contract/operator/errors.ts';
import * as account from '../account.ts';
import { staffCookie } from '../cookie.ts';
import * as passkeys from '../passkeys.ts';
import * as sessions from '../sign-in.ts';
import { actAsMember, actsOfMember, actsToEnter, enter } from './kinds.ts';

/** Signs in by password. */
const beginStaffSession = enter('operator.session.begin', {
  async reply({ context, body }) {
    const begun = await sessions.signIn(context.signIn, body);
    if (isRefusal(begun)) return begun;
    const cookie = staffCookie.set(begun.secret, context.baseUrl);
    return { status: 201, body: begun.session, cookie };
  },
});

/** Signs in with the answer of the provider. */
const completeProvider = enter('operator.provider.complete', {
  async reply({ context, body }) {
    const begun = await sessions.signInAtProvider(context.signIn, body);
    if (isRefusal(begun)) return begun;
    const cookie = staffCookie.set(begun.secret, context.baseUrl);
    return { status: 201, body: begun.session, cookie };
  },
});

/** Signs out, and removes the cookie; also if another call has ended the session meanwhile. */
const endStaffSession = actAsMember('operator.session.end', {
  async reply({ context, actor }) {
    await sessions.endSession(context.signIn, actor, actor.session.sessionId);
    return { status: 204, body: null, cookie: staffCookie.clear(context.baseUrl) };
  },
});

/** Everything that a session needs: those that set or remove its cookie, those without one, and those of its member. */
export const sessionOperations = {
  'operator.session.begin': beginStaffSession,
  'operator.provider.complete': completeProvider,
  'operator.session.end': endStaffSession,
  ...actsToEnter({
    'operator.signIn.options': ({ context: { environment, signIn } }) => ({
      environment,
      provider: signIn.provider?.host ?? null,
    }),
    'operator.provider.begin': ({ context }) => sessions.beginAtProvider(context.signIn),
    'operator.session.beginPasskey': ({ context, body }) =>
      sessions.beginPasskeySignIn(context.signIn, body),
    'operator.invitation.find': ({ context, body }) => account.readInvitation(context.signIn, body),
    'operator.invitation.accept': ({ context, body }) =>
      account.acceptInvitation(context.signIn, body),
  }),
  ...actsOfMember({
    'operator.session.get': ({ context, actor }) => sessions.readSession(context.signIn, actor),
    'operator.session.stepUp': ({ context, actor, body }) =>
      sessions.stepUp(context.signIn, actor, body),
    'operator.session.beginPasskeyStepUp': ({ context, actor }) =>
      sessions.beginPasskeyStepUp(context.signIn, actor),
    'operator.session.list': ({ context, actor }) =>
      sessions.listOwnSessions(context.signIn, actor),
    'operator.session.endOther': async ({ context, actor, params }) =>
      (await sessions.endSession(context.signIn, actor, params.sessionId))
        ? null
        : refuseStaff('not_found', 'There is no such session.'),
    'operator.account.changePassword': ({ context, actor, body }) =>
      account.changePassword(context.signIn, actor, body.password),
    'operator.account.beginSecondFactor': ({ context, actor }) =>
      account.beginSecondFactor(context.signIn, actor),
    'operator.account.confirmSecondFactor': ({ context, actor, body }) =>
      account.confirmSecondFactor(context.signIn, actor, body.code),
    'operator.account.removeSecondFactor': ({ context, actor }) =>
      account.removeOwnSecondFactor(context.signIn, actor),
    'operator.account.listPasskeys': ({ context, actor }) =>
      passkeys.listOwnPasskeys(context.signIn, actor),
    'operator.account.beginPasskey': ({ context, actor }) =>
      passkeys.beginPasskey(context.signIn, actor),
    'operator.account.addPasskey': ({ context, actor, body }) =>
      passkeys.addPasskey(context.signIn, actor, body),
    'operator.account.removePasskey': ({ context, actor, params }) =>
      passkeys.removeOwnPasskey(context.signIn, actor, params.passkeyId),
  }),
};
