import { tagged } from '../../complete-rows.ts';
import type { StatedRows } from '../row.ts';
import * as schemas from '../schemas/applications.ts';
import { LongPageQuery } from '../schemas/shared.ts';
import { EmptyBody } from '../../partner/schemas/primitives.ts';

const keyOnce = 'The application key is shown only once: store it now, on a server.';

// What a service knows of its calls is in its memory, and in its log.
const shownMembers = Object.keys(schemas.PartnerApplication.properties);
const { createdAt: _, ...created } = schemas.CreatedApplication.properties;
const createdMembers = Object.keys(created);
const listedMembers = [
  'applicationId',
  'name',
  'settlement',
  'state',
  'catalog',
  'adjustPercent',
  'reservationsPerDay',
  'portalKeys',
  'commissionPercent',
  'changes',
  'grants',
  'quotas',
];

/** What gives a partner access that lasts. */
const lastingAccess = { scope: 'partners', stepUp: true, lasting: true } as const;

/** Partner applications and their keys. */
export const applicationRows = tagged('Partners', {
  'operator.application.list': {
    call: 'GET /operator/v1/applications',
    summary: 'List applications',
    scope: 'read',
    query: LongPageQuery,
    reply: { 200: schemas.ApplicationList },
    command: { name: 'application list', prints: shownMembers, columns: listedMembers },
  },
  'operator.application.create': {
    call: 'POST /operator/v1/applications',
    summary: 'Register an application and issue its first key',
    ...lastingAccess,
    body: schemas.NewApplication,
    repeatHides: ['applicationKey'],
    reply: { 201: schemas.CreatedApplication },
    errors: ['not_found', 'conflict'],
    command: { name: 'application create', prints: createdMembers, note: keyOnce },
  },
  'operator.application.get': {
    call: 'GET /operator/v1/applications/{applicationId}',
    summary: 'Read an application and the use of its quotas',
    scope: 'read',
    reply: { 200: schemas.ApplicationInFull },
    command: { name: 'application show', prints: [...shownMembers, 'conformance'] },
  },
  'operator.application.change': {
    call: 'PATCH /operator/v1/applications/{applicationId}',
    summary: 'Change an application',
    description:
      'Takes effect in every process within a second. A token cannot add grants, allow keys in the portal or cancellations at once, stop asking for a report, or lower prices: it would outlive the token (`step_up`).',
    scope: 'partners',
    stepUp: true,
    body: schemas.ApplicationChange,
    seen: 'expectedVersion',
    reply: { 200: schemas.PartnerApplication },
    errors: ['not_found', 'conflict', 'precondition_failed'],
    command: { name: 'application set', waitsFor: 'applications' },
  },
  'operator.application.setQuotas': {
    call: 'PATCH /operator/v1/applications/{applicationId}/quotas',
    summary: 'Change the quotas of an application',
    description: 'Takes effect in every process within a second.',
    scope: 'partners',
    body: schemas.QuotaChange,
    seen: 'expectedVersion',
    reply: { 200: schemas.PartnerApplication },
    errors: ['not_found', 'precondition_failed'],
    command: { name: 'application set-quota', waitsFor: 'applications' },
  },
  'operator.application.suspend': {
    call: 'POST /operator/v1/applications/{applicationId}/suspend',
    summary: 'Suspend an application',
    description:
      'Within a second, its calls are refused until it is resumed, even with valid tokens.',
    scope: 'partners',
    body: schemas.Suspension,
    reply: { 200: schemas.PartnerApplication },
    command: { name: 'application suspend', waitsFor: 'applications' },
  },
  'operator.application.resume': {
    call: 'POST /operator/v1/applications/{applicationId}/resume',
    summary: 'Resume an application',
    ...lastingAccess,
    body: EmptyBody,
    reply: { 200: schemas.PartnerApplication },
    command: { name: 'application resume', waitsFor: 'applications' },
  },
  'operator.application.portalLink': {
    call: 'POST /operator/v1/applications/{applicationId}/portal-link',
    summary: 'Issue a link to the portal',
    description: 'The first one starts the request log of the application.',
    ...lastingAccess,
    body: EmptyBody,
    repeatHides: ['url'],
    reply: { 201: schemas.PortalLink },
    errors: ['not_found', 'conflict'],
    command: { name: 'portal link', waitsFor: 'applications' },
  },
  'operator.portalPerson.list': {
    call: 'GET /operator/v1/applications/{applicationId}/portal-people',
    summary: 'List who uses the portal of an application',
    description: 'With the sessions of each.',
    scope: 'read',
    reply: { 200: schemas.PortalPeople },
    command: { name: 'portal person list', columns: ['personId', 'name', 'email', 'sessions'] },
  },
  'operator.portalPerson.invite': {
    call: 'POST /operator/v1/applications/{applicationId}/portal-people',
    summary: 'Name a person of a partner, and issue their link to the portal',
    description:
      'Their sessions last while they are used, so they need no new link. The same address again gets a new link.',
    ...lastingAccess,
    body: schemas.InvitePerson,
    repeatHides: ['url'],
    reply: { 201: schemas.InvitedPerson },
    errors: ['not_found', 'conflict'],
    command: { name: 'portal person invite', waitsFor: 'applications' },
  },
  'operator.portalPerson.remove': {
    call: 'DELETE /operator/v1/applications/{applicationId}/portal-people/{personId}',
    summary: 'Remove a person of a partner from the portal',
    description: 'Their links and sessions end at once.',
    scope: 'partners',
    reply: { 204: null },
    command: { name: 'portal person remove' },
  },
  'operator.portalSession.end': {
    call: 'DELETE /operator/v1/applications/{applicationId}/portal-sessions/{sessionId}',
    summary: 'End a session of the portal of an application',
    scope: 'partners',
    reply: { 204: null },
    command: { name: 'portal session end' },
  },
  'operator.key.list': {
    call: 'GET /operator/v1/applications/{applicationId}/keys',
    summary: 'List the keys of an application',
    scope: 'read',
    reply: { 200: schemas.KeyList },
    command: {
      name: 'key list',
      columns: ['keyId', 'state', 'createdAt', 'expiresAt', 'revokedAt', 'lastUsedAt'],
    },
  },
  'operator.key.issue': {
    call: 'POST /operator/v1/applications/{applicationId}/keys',
    summary: 'Issue a key',
    description: 'Existing keys keep working.',
    ...lastingAccess,
    body: schemas.KeyIssue,
    repeatHides: ['applicationKey'],
    reply: { 201: schemas.IssuedKey },
    errors: ['not_found', 'conflict'],
    command: { name: 'key issue', note: keyOnce },
  },
  'operator.key.revoke': {
    call: 'POST /operator/v1/keys/{keyId}/revoke',
    summary: 'Revoke a key permanently',
    description: 'It gets no more tokens, and its tokens end within seconds in every process.',
    scope: 'partners',
    body: EmptyBody,
    reply: { 200: schemas.PartnerKey },
    command: {
      name: 'key revoke',
      note: 'Its tokens end within seconds, in every process.',
    },
  },
  'operator.signingKey.list': {
    call: 'GET /operator/v1/signing-keys',
    summary: 'List the keys that sign access tokens',
    scope: 'read',
    reply: { 200: schemas.SigningKeyList },
    command: { name: 'signing-key list' },
  },
  'operator.signingKey.rotate': {
    call: 'POST /operator/v1/signing-keys/rotate',
    summary: 'Replace the key that signs access tokens',
    ...lastingAccess,
    body: schemas.SigningKeyRotation,
    reply: { 200: schemas.SigningKey },
    command: {
      name: 'signing-key rotate',
      note: 'Running services sign with it within seconds.',
    },
  },
} as const satisfies StatedRows);
