import type { ErrorCode } from '../errors.ts';
import { ownErrors } from '../own-errors.ts';

/** The error codes of the portal, each with its message. A subset of the contract's codes. */
export const portalErrors = {
  invalid_input: 'The request is not valid.',
  unauthenticated: 'A portal session is required: open a link from the operator.',
  forbidden: 'The call comes from another site.',
  not_found: 'There is no such resource.',
  invalid_state: 'The resource is not in a state that allows this.',
  policy_restricted: 'The operator or a limit does not allow that.',
  rate_limited: 'Too many requests.',
  internal: 'Something went wrong on our side.',
  unavailable: 'Not available just now.',
} as const satisfies Partial<Record<ErrorCode, string>>;
export type PortalErrorCode = keyof typeof portalErrors;

/** Codes that every operation of the portal can return. */
export const commonPortalErrors = [
  'invalid_input',
  'unauthenticated',
  'rate_limited',
  'internal',
  'unavailable',
] as const satisfies readonly PortalErrorCode[];

/** The values of `error.details.reason` in the portal, with their meaning. */
export const portalReasons = {
  unauthenticated: {
    session: 'There is no session, or it has ended, or the application is suspended.',
    link: 'The link is unknown, was used before, or has expired.',
  },
  forbidden: {
    cross_site: '`Sec-Fetch-Site` or `Origin` names another site.',
  },
  invalid_state: {
    endpoint_not_active: 'The endpoint is not active: resume it first.',
    reservation_not_confirmed: 'The reservation is not confirmed.',
  },
  policy_restricted: {
    too_many_endpoints: 'The application has the maximum number of endpoints.',
    keys_by_operator: 'Only the operator issues and revokes keys of this application.',
    too_many_keys: 'The application has the maximum number of usable keys: revoke one first.',
    too_many_keys_ever:
      'The application has reached the maximum number of keys in the portal: ask the operator for the next one.',
    last_key:
      'It is the last usable key, and your program would get no more tokens: confirm with `lastToo`, or issue another key first.',
    simulation_only: 'Only the simulation changes reservations on request.',
  },
} as const satisfies Partial<Record<PortalErrorCode, Record<string, string>>>;

/** A reason of the portal. */
export type PortalReason = {
  [C in keyof typeof portalReasons]: keyof (typeof portalReasons)[C];
}[keyof typeof portalReasons];

/** Makes a refusal of the portal. The compiler checks the reason against the code. */
export const {
  refuse: refusePortal,
  messageOf: portalMessage,
  reasonText: portalReasonText,
} = ownErrors(portalErrors, portalReasons);
