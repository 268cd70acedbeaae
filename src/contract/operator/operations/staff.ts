import { operatorLimits } from '../limits.ts';
import { tagged } from '../../complete-rows.ts';
import type { StatedRows } from '../row.ts';
import { EmptyBody } from '../../partner/schemas/primitives.ts';
import * as schemas from '../schemas/staff.ts';
import { LongPageQuery } from '../schemas/shared.ts';

const scope = 'staff';

/** What only an administrator in a session may do. */
const byAdministrator = { scope, membersOnly: true, stepUp: true } as const;

/** Members of staff. */
export const staffRows = tagged('Staff', {
  'operator.staff.list': {
    call: 'GET /operator/v1/staff',
    summary: 'List members of staff',
    scope,
    reply: { 200: schemas.StaffList },
    command: {
      name: 'staff list',
      columns: ['email', 'role', 'state', 'hasSecondFactor', 'sessions', 'signedInAt'],
    },
  },
  'operator.staff.invite': {
    call: 'POST /operator/v1/staff',
    summary: 'Invite a member of staff',
    description:
      'Makes the account and a link that sets its password. For an account that exists: a new link, to replace a forgotten password. The previous link stops working.',
    ...byAdministrator,
    body: schemas.Invite,
    repeatHides: ['url'],
    reply: { 201: schemas.IssuedInvitation },
    errors: ['conflict'],
    command: {
      name: 'staff invite',
      note: `The link works once, for ${operatorLimits.invitationHours} hours, and is not shown again.`,
    },
  },
  'operator.staff.change': {
    call: 'PATCH /operator/v1/staff/{staffId}',
    summary: 'Change a role',
    description:
      'Takes effect with the next call. Members cannot change their own role. `conflict`: it is the account of the caller, or the last administrator who can sign in.',
    ...byAdministrator,
    body: schemas.StaffChange,
    seen: 'expectedVersion',
    reply: { 200: schemas.StaffMember },
    errors: ['not_found', 'conflict', 'precondition_failed'],
    command: { name: 'staff set-role' },
  },
  'operator.staff.disable': {
    call: 'POST /operator/v1/staff/{staffId}/disable',
    summary: 'Disable a member of staff',
    description:
      'Ends all sessions and the invitation of the account at once. `conflict`: it is the account of the caller, or the last administrator who can sign in.',
    scope,
    body: EmptyBody,
    reply: { 200: schemas.StaffMember },
    errors: ['not_found', 'conflict'],
    command: { name: 'staff disable' },
  },
  'operator.staff.enable': {
    call: 'POST /operator/v1/staff/{staffId}/enable',
    summary: 'Enable a member of staff',
    description: '`conflict`: it is the account of the caller.',
    ...byAdministrator,
    body: EmptyBody,
    reply: { 200: schemas.StaffMember },
    errors: ['not_found', 'conflict'],
    command: { name: 'staff enable' },
  },
  'operator.staff.removeSecondFactor': {
    call: 'DELETE /operator/v1/staff/{staffId}/second-factor',
    summary: 'Remove a lost second factor',
    description: 'Ends all sessions of the account. Its password is enough from then on.',
    ...byAdministrator,
    reply: { 200: schemas.StaffMember },
    errors: ['not_found', 'conflict'],
    command: { name: 'staff remove-second-factor' },
  },
  'operator.staff.endSessions': {
    call: 'POST /operator/v1/staff/{staffId}/end-sessions',
    summary: 'End all sessions of a member of staff',
    description:
      'At once; the member can sign in again. `conflict`: it is the account of the caller, who ends sessions on the page of the account.',
    scope,
    body: EmptyBody,
    reply: { 200: schemas.StaffMember },
    errors: ['not_found', 'conflict'],
    command: { name: 'staff end-sessions' },
  },
  'operator.staff.requireSecondFactor': {
    call: 'PUT /operator/v1/staff/second-factor',
    summary: 'Require a second factor of everybody, or stop requiring it',
    description:
      'A member with a password and without a second factor can then only add one: everything else is 403 `second_factor`, at once. Whoever signs in by a provider alone is not asked. `conflict`: the caller has none.',
    ...byAdministrator,
    body: schemas.RequireSecondFactor,
    reply: { 200: schemas.RequiredSecondFactor },
    errors: ['conflict'],
    command: { name: 'staff require-second-factor', argument: 'required' },
  },
} as const satisfies StatedRows);

/** Tokens of scripts. */
export const tokenRows = tagged('Tokens', {
  'operator.token.list': {
    call: 'GET /operator/v1/tokens',
    summary: 'List tokens',
    scope,
    query: LongPageQuery,
    reply: { 200: schemas.TokenList },
    command: {
      name: 'staff token list',
      columns: ['tokenId', 'name', 'role', 'state', 'createdAt', 'expiresAt', 'revokedAt'],
    },
  },
  'operator.token.issue': {
    call: 'POST /operator/v1/tokens',
    summary: 'Issue a token',
    description:
      'For a script. Its secret is shown once. A token cannot issue tokens, so nobody can extend one.',
    ...byAdministrator,
    body: schemas.TokenIssue,
    repeatHides: ['token'],
    reply: { 201: schemas.IssuedToken },
    errors: ['conflict'],
    command: { name: 'staff token issue', note: 'The token is shown only once: store it now.' },
  },
  'operator.token.revoke': {
    call: 'POST /operator/v1/tokens/{tokenId}/revoke',
    summary: 'Revoke a token',
    description: 'Takes effect with the next call.',
    scope,
    body: EmptyBody,
    reply: { 200: schemas.OperatorToken },
    command: { name: 'staff token revoke' },
  },
} as const satisfies StatedRows);
