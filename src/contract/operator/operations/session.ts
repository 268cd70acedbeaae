import { tagged } from '../../complete-rows.ts';
import type { StatedRows } from '../row.ts';
import { EmptyBody } from '../../partner/schemas/primitives.ts';
import * as schemas from '../schemas/staff.ts';

/** What changes the account of the caller. */
const ownAccount = { membersOnly: true, stepUp: true } as const;

/** Signing in, and the caller's own account. */
export const sessionRows = tagged('Sessions', {
  'operator.signIn.options': {
    call: 'GET /operator/v1/sign-in',
    summary: 'Read how to sign in',
    public: true,
    reply: { 200: schemas.SignInOptions },
  },
  'operator.provider.begin': {
    call: 'POST /operator/v1/sign-in/provider',
    summary: 'Begin signing in at the OpenID provider',
    public: true,
    body: EmptyBody,
    reply: { 200: schemas.ProviderAddress },
    errors: ['not_found'],
  },
  'operator.provider.complete': {
    call: 'POST /operator/v1/sign-in/provider/complete',
    summary: 'Complete the sign-in with the response of the OpenID provider',
    description:
      'Sets the cookie of a new session. Only for existing members of staff whose address the provider has verified.',
    public: true,
    body: schemas.ProviderAnswer,
    reply: { 201: schemas.StaffSession },
    reasons: { unauthenticated: ['provider'] },
    errors: ['not_found'],
  },
  'operator.session.begin': {
    call: 'POST /operator/v1/session',
    summary: 'Sign in',
    description:
      'Sets the cookie of a new session. `code_required`, `passkey_required`, `factor_required`: the password is right, and the second factor is missing.',
    public: true,
    body: schemas.SignIn,
    reply: { 201: schemas.StaffSession },
    reasons: {
      unauthenticated: [
        'password',
        'code_required',
        'passkey_required',
        'factor_required',
        'code',
        'passkey',
      ],
    },
  },
  'operator.session.beginPasskey': {
    call: 'POST /operator/v1/session/passkey',
    summary: 'Begin signing in with a passkey',
    description:
      'For an account with the right password: what the browser needs. Send what the passkey answers as `passkey` with the sign-in, within five minutes.',
    public: true,
    body: schemas.PasskeySignIn,
    reply: { 200: schemas.PasskeyOptions },
    reasons: { unauthenticated: ['password'] },
    errors: ['not_found'],
  },
  'operator.session.get': {
    call: 'GET /operator/v1/session',
    summary: 'Read the session',
    membersOnly: true,
    reply: { 200: schemas.StaffSession },
  },
  'operator.session.end': {
    call: 'DELETE /operator/v1/session',
    summary: 'Sign out',
    membersOnly: true,
    reply: { 204: null },
  },
  'operator.session.stepUp': {
    call: 'POST /operator/v1/session/step-up',
    summary: 'Confirm the session (step-up)',
    description:
      'Confirms who uses the session: by a code or passkey or, if there is no second factor, by the password.',
    membersOnly: true,
    body: schemas.Confirmation,
    reply: { 200: schemas.StaffSession },
    reasons: { forbidden: ['confirmation'] },
  },
  'operator.session.beginPasskeyStepUp': {
    call: 'POST /operator/v1/session/step-up/passkey',
    summary: 'Begin a step-up with a passkey',
    description: 'What the browser needs. Send what the passkey answers with the step-up.',
    membersOnly: true,
    body: EmptyBody,
    reply: { 200: schemas.PasskeyOptions },
    errors: ['not_found'],
  },
  'operator.session.list': {
    call: 'GET /operator/v1/sessions',
    summary: "List the caller's sessions",
    membersOnly: true,
    reply: { 200: schemas.SessionList },
  },
  'operator.session.endOther': {
    call: 'DELETE /operator/v1/sessions/{sessionId}',
    summary: "End one of the caller's sessions",
    membersOnly: true,
    reply: { 204: null },
  },
  'operator.invitation.find': {
    call: 'POST /operator/v1/invitations/find',
    summary: 'Read the account of an invitation',
    description: 'Changes nothing. The link is in the body, so that no server logs it.',
    public: true,
    body: schemas.FindInvitation,
    reply: { 200: schemas.Invitation },
    reasons: { unauthenticated: ['invitation'] },
  },
  'operator.invitation.accept': {
    call: 'POST /operator/v1/invitations/accept',
    summary: 'Set the password of an invitation',
    description: 'The link then stops working, and all sessions of the account end.',
    public: true,
    body: schemas.AcceptInvitation,
    reply: { 200: schemas.AcceptedInvitation },
    reasons: { unauthenticated: ['invitation'] },
  },
  'operator.account.changePassword': {
    call: 'POST /operator/v1/account/password',
    summary: 'Change the password',
    description: 'Ends all other sessions of the account.',
    ...ownAccount,
    body: schemas.PasswordChange,
    reply: { 204: null },
  },
  'operator.account.beginSecondFactor': {
    call: 'POST /operator/v1/account/second-factor',
    summary: 'Make a second factor',
    description:
      'The new second factor takes effect when you confirm it with a code. Until then, an existing one stays valid.',
    ...ownAccount,
    body: EmptyBody,
    reply: { 201: schemas.NewFactor },
  },
  'operator.account.confirmSecondFactor': {
    call: 'POST /operator/v1/account/second-factor/confirm',
    summary: 'Activate the second factor',
    description: 'Ends all other sessions of the account.',
    ...ownAccount,
    body: schemas.FactorCode,
    reply: { 204: null },
    reasons: { forbidden: ['confirmation'] },
    errors: ['conflict'],
  },
  'operator.account.removeSecondFactor': {
    call: 'DELETE /operator/v1/account/second-factor',
    summary: 'Remove the second factor',
    ...ownAccount,
    reply: { 204: null },
    errors: ['conflict'],
  },
  'operator.account.listPasskeys': {
    call: 'GET /operator/v1/account/passkeys',
    summary: "List the caller's passkeys",
    membersOnly: true,
    reply: { 200: schemas.PasskeyList },
  },
  'operator.account.beginPasskey': {
    call: 'POST /operator/v1/account/passkeys/begin',
    summary: 'Begin adding a passkey',
    description: 'What the browser needs to make one.',
    ...ownAccount,
    body: EmptyBody,
    reply: { 200: schemas.PasskeyOptions },
  },
  'operator.account.addPasskey': {
    call: 'POST /operator/v1/account/passkeys',
    summary: 'Add a passkey',
    description:
      'Adds what the browser has made, within five minutes. It is asked for at the next sign-in. Ends all other sessions of the account.',
    ...ownAccount,
    body: schemas.AddPasskey,
    reply: { 200: schemas.Passkey },
    reasons: { forbidden: ['confirmation'] },
    errors: ['conflict'],
  },
  'operator.account.removePasskey': {
    call: 'DELETE /operator/v1/account/passkeys/{passkeyId}',
    summary: 'Remove a passkey',
    description: 'Ends all other sessions of the account.',
    ...ownAccount,
    reply: { 204: null },
    errors: ['not_found', 'conflict'],
  },
} as const satisfies StatedRows);
