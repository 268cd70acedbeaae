import { type CommonOwnErrorCode, crossSiteText, ownErrors } from '../own-errors.ts';

/** The error codes of the portal: a subset of the contract's. */
export type PortalErrorCode =
  | CommonOwnErrorCode
  | 'forbidden'
  | 'not_found'
  | 'invalid_state'
  | 'policy_restricted';

/** The values of `error.details.reason` in the portal, with their meaning. */
export const portalReasons = {
  unauthenticated: {
    session: 'There is no session, or it has ended, or the application is suspended.',
    link: 'The link is unknown, was used before, or has expired.',
  },
  forbidden: {
    cross_site: crossSiteText,
  },
  invalid_state: {
    endpoint_not_active: 'The endpoint is not active: resume it first.',
    reservation_not_confirmed: 'The reservation is not confirmed.',
  },
  policy_restricted: {
    too_many_endpoints: 'The application has the maximum number of endpoints.',
    keys_by_operator: 'Only the operator issues and revokes keys of this application.',
    too_many_keys: 'The application has the maximum number of usable keys: revoke one first.',
    report_required:
      'The operator wants a report of a passed conformance run first: hand yours over.',
    too_many_keys_ever:
      'The application has reached the maximum number of keys in the portal: ask the operator for the next one.',
    last_key:
      'It is the last usable key, and your program would get no more tokens: confirm with `lastToo`, or issue another key first.',
    statement_too_long: 'The month has too many reservations for a statement: ask the operator.',
    no_person: 'The session has no person: ask the operator for a link in your name.',
    simulation_only: 'Only the simulation changes reservations on request.',
  },
} as const satisfies Partial<Record<PortalErrorCode, Record<string, string>>>;

/** Makes a refusal of the portal. The compiler checks the reason against the code. */
export const {
  refuse: refusePortal,
  messageOf: portalMessage,
  reasonText: portalReasonText,
} = ownErrors<PortalErrorCode, typeof portalReasons>(
  {
    unauthenticated: 'A portal session is required: open a link from the operator.',
    forbidden: 'The call comes from another site.',
    policy_restricted: 'The operator or a limit does not allow that.',
  },
  portalReasons,
);
