import type { InvalidField, Refusal } from '../errors.ts';
import { type CommonOwnErrorCode, crossSiteText, ownErrors } from '../own-errors.ts';

/** The error codes of the operator's API: a subset of the contract's. */
export type OperatorErrorCode =
  | CommonOwnErrorCode
  | 'forbidden'
  | 'not_found'
  | 'policy_restricted'
  | 'conflict'
  | 'precondition_failed'
  | 'resync_required';

/** The values of `error.details.reason` in the operator's API, with their meaning. */
export const operatorReasons = {
  unauthenticated: {
    credentials: 'There is no session or token, or it has ended or was revoked.',
    password: 'The email address or the password is wrong.',
    code_required: 'Enter the code of your second factor.',
    passkey_required: 'Use one of your passkeys.',
    factor_required: 'Enter the code of your second factor, or use a passkey.',
    code: 'This code is wrong, or it was used before.',
    passkey: 'This passkey was not accepted. Try again.',
    invitation: 'This link is not valid: it was used or has expired. Ask for a new one.',
    provider: 'The sign-in provider did not confirm the address of a member of staff.',
  },
  forbidden: {
    network: 'This token may not be used from this network.',
    role: 'The role of the caller does not allow this operation.',
    scope: 'The token has fewer scopes than its role: this operation needs another one.',
    cross_site: crossSiteText,
    members_only: 'Only a member of staff who is signed in may do this, not a token.',
    confirmation: 'The password or code is wrong, or the code was used before.',
    second_factor: 'Add a second factor to your account first: the operator requires one.',
    step_up: 'Enter your password or code again: this operation shows secrets or moves money.',
  },
} as const satisfies Partial<Record<OperatorErrorCode, Record<string, string>>>;

/** Makes a refusal of the operator's API. The compiler checks the reason against the code. */
export const {
  refuse: refuseOperator,
  messageOf: operatorMessage,
  reasonText: operatorReasonText,
} = ownErrors<OperatorErrorCode, typeof operatorReasons>(
  {
    unauthenticated: 'Sign in, or send a valid token.',
    forbidden: 'Your role does not allow this.',
    precondition_failed: 'It has changed since it was read: read it again.',
    resync_required:
      'Entries after this cursor are gone: read everything again, then the feed from its end.',
  },
  operatorReasons,
);

/** Refuses what staff asked for, with a sentence for them. `fields`: the members of the request that are not valid. */
export const refuseStaff = <Code extends OperatorErrorCode>(
  refused: Code,
  message: string,
  ...fields: readonly InvalidField[]
): Refusal<Code> => ({ refused, message, ...(fields.length > 0 && { details: { fields } }) });

/** Refuses what would call something outside, in a copy that does not. Spec: RESTORE-4. */
export const refuseOutsideOff = (so: string): Refusal<'conflict'> => ({
  refused: 'conflict',
  message: `outside_off: this copy calls nothing outside, so ${so} (LATCHKEY_OUTSIDE).`,
  details: { reason: 'outside_off' },
});

/** Refuses what staff asked for because of how things are now, with a sentence that says so. */
export const refuseConflict = (message: string): Refusal<'conflict'> =>
  refuseStaff('conflict', message);
