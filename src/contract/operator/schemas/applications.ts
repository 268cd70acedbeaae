/** Partner applications and their keys. */
import * as Type from '../../type.ts';
import { changeDecisions } from '../../states.ts';
import { limits, tiers } from '../../limits.ts';
import { patterns } from '../../patterns.ts';
import { Capability } from '../../partner/schemas/site.ts';
import { Settlement } from '../../partner/schemas/states.ts';
import { QuotaTier } from '../../partner/schemas/error.ts';
import { portalLimits } from '../../portal/limits.ts';
import { PortalSession } from '../../portal/schemas/session.ts';
import { KeyState } from '../../portal/schemas/access.ts';
import { AllowedNetworks, Networks } from './networks.ts';
import { operatorLimits } from '../limits.ts';
import { expectedVersion, PageOf, shownVersion } from './shared.ts';

const { quota, adjustPercent, commissionPercent, reservationsPerDay, keyDays, reasonLength } =
  operatorLimits;

const Name = Type.GivenText(limits.nameLength, 'The name of the application.', patterns.line);
const Grants = Type.Array(Type.KnownValue(Capability), {
  uniqueItems: true,
  description: 'Which operations it may call.',
});
const Slug = Type.GivenText(
  limits.nameLength,
  'The catalog that it sells, by its slug. Without it: the only catalog.',
);
const AdjustPercent = Type.Number({
  minimum: adjustPercent.min,
  maximum: adjustPercent.max,
  multipleOf: 0.01,
  description: 'Changes the price of every night: 8 for 8 % more.',
});
const PerDay = Type.Nullable(
  Type.WholeFrom(
    0,
    reservationsPerDay.max,
    'The most reservations of a day (UTC). Null: no limit.',
  ),
);

const PortalKeys = Type.Flag(
  'Whether the partner issues and revokes its own keys in the portal. Without it: only in the simulation.',
);

const Changes = Type.Enum([...changeDecisions], {
  $id: 'DecidedChanges',
  description:
    'What becomes of its requests for changes: staff decide all of them (`ask`, the default), or a cancellation is accepted at once by the terms (`cancel`).',
});

const CommissionPercent = Type.Nullable(
  Type.Number({
    minimum: commissionPercent.min,
    maximum: commissionPercent.max,
    multipleOf: 0.01,
    description:
      'What the partner keeps of what it sells, in percent: statements take it off what is owed. Null: none.',
  }),
);

const perMinute = Type.WholeFrom(1, quota.max, 'Calls per minute.');
const [read, search, write, signal] = tiers;

const quotaMembers = {
  [read]: Type.Optional(perMinute),
  [search]: Type.Optional(perMinute),
  [write]: Type.Optional(perMinute),
  [signal]: Type.Optional(perMinute),
};

const NewQuotas = Type.Object(quotaMembers, {
  $id: 'NewQuotas',
  description: 'Calls per minute; a tier that is not named has its usual quota.',
  additionalProperties: false,
  minProperties: 1,
});

export const QuotaChange = Type.Object(
  { ...quotaMembers, ...expectedVersion },
  {
    $id: 'QuotaChange',
    description: 'The tiers to change; others keep their quota.',
    additionalProperties: false,
    minProperties: 1,
  },
);

const Quotas = Type.ResponseObject('ApplicationQuotas', 'Calls per minute.', {
  [read]: Type.Integer(),
  [search]: Type.Integer(),
  [write]: Type.Integer(),
  [signal]: Type.Integer(),
});

const ApplicationState = Type.Enum(['active', 'suspended'], {
  $id: 'ApplicationState',
  description: 'Calls of a `suspended` application are refused.',
});

const RequireReport = Type.Flag(
  'Whether its keys of `live` need a report of a passed conformance run, which staff have verified.',
);

const LastRun = Type.ResponseObject('LastRun', 'A conformance run that has ended.', {
  runId: Type.Uuid('The run.'),
  profile: Type.Text('How the program books.'),
  state: Type.Enum(['passed', 'failed', 'incomplete'], { $id: 'FinalRunState' }),
  wireVersion: Type.String(),
  contractDigest: Type.Text('Of the contract that was judged.'),
  finishedAt: Type.Instant('When it ended.'),
});

const members = {
  applicationId: Type.Uuid('The application.'),
  name: Type.String(),
  settlement: Settlement,
  state: ApplicationState,
  grants: Type.Array(Capability),
  quotas: Quotas,
  catalog: Type.Nullable(Type.Text('The slug of the catalog that it sells.')),
  adjustPercent: Type.Number(),
  reservationsPerDay: Type.Nullable(Type.Integer()),
  portalKeys: Type.Flag('Whether the partner issues and revokes its own keys in the portal.'),
  commissionPercent: Type.Nullable(
    Type.Number({ description: 'What the partner keeps of what it sells. Null: none is set.' }),
  ),
  changes: Changes,
  requireReport: RequireReport,
  suspendedAt: Type.Nullable(Type.Instant('When it was suspended.')),
  suspendedReason: Type.Nullable(Type.Text('For staff only.')),
  createdAt: Type.Instant('When it was registered.'),
  version: shownVersion,
};

export const PartnerApplication = Type.ResponseObject(
  'PartnerApplication',
  'An application.',
  members,
);

const ListedApplication = Type.ResponseObject('ListedApplication', {
  ...members,
  lastCallAt: Type.Nullable(
    Type.Instant(
      'When it last called or got a token, to the minute. Null: never, or more than 30 days ago.',
    ),
  ),
  failingEndpoints: Type.Whole('Webhook endpoints that fail, or were stopped for that reason.'),
});

export const ApplicationList = PageOf(
  ListedApplication,
  'ApplicationList',
  'A page of the applications, oldest first.',
);

const QuotaUse = Type.ResponseObject('QuotaUse', {
  tier: QuotaTier,
  perMinute: Type.Whole('Its quota, or the share of this process.'),
  remaining: Type.Whole('How many calls are left now.'),
  fullInSeconds: Type.Whole('When all of them are available again.'),
});

export const ApplicationInFull = Type.ResponseObject(
  'ApplicationInFull',
  'An application, and how much of its quotas is used now.',
  {
    ...members,
    conformance: Type.Nullable(
      Type.Described(
        LastRun,
        'Its last run, or that of its last verified report. Null: there is none.',
      ),
    ),
    quotaUse: Type.Array(QuotaUse),
    reservationsToday: Type.Nullable(
      Type.Whole('How many reservations count for the limit of today (UTC). Null: no limit.'),
    ),
  },
);

export const NewApplication = Type.RequestObject('NewApplication', 'An application to register.', {
  name: Name,
  settlement: Settlement,
  grants: Grants,
  quotas: Type.Optional(NewQuotas),
  catalog: Type.Optional(Slug),
  adjustPercent: Type.Optional(AdjustPercent),
  reservationsPerDay: Type.Optional(PerDay),
  portalKeys: Type.Optional(PortalKeys),
  commissionPercent: Type.Optional(CommissionPercent),
  changes: Type.Optional(Changes),
});

const key = {
  keyId: Type.Text('The key.'),
  applicationKey: Type.Text('Shown once: for the server of the partner.'),
  expiresAt: Type.Instant('When the key ends.'),
};

export const IssuedKey = Type.ResponseObject('IssuedKey', 'A key that was just issued.', key);

const {
  state: _state,
  suspendedAt: _at,
  suspendedReason: _reason,
  requireReport: _require,
  version: _version,
  ...created
} = members;

export const CreatedApplication = Type.ResponseObject(
  'CreatedApplication',
  'A new application with its first key.',
  { ...created, ...key },
);

export const ApplicationChange = Type.Object(
  {
    name: Type.Optional(Name),
    grants: Type.Optional(Grants),
    catalog: Type.Optional(Slug),
    adjustPercent: Type.Optional(AdjustPercent),
    reservationsPerDay: Type.Optional(PerDay),
    portalKeys: Type.Optional(PortalKeys),
    commissionPercent: Type.Optional(CommissionPercent),
    changes: Type.Optional(Changes),
    requireReport: Type.Optional(RequireReport),
    ...expectedVersion,
  },
  {
    $id: 'ApplicationChange',
    description: 'The members to change; absent members stay as they are.',
    additionalProperties: false,
    minProperties: 1,
  },
);

export const Suspension = Type.RequestObject('Suspension', 'Why it is suspended.', {
  reason: Type.Optional(
    Type.GivenText(reasonLength, 'For staff only; it is in the audit trail.', patterns.line),
  ),
});

export const PartnerKey = Type.ResponseObject('PartnerKey', 'A key, without its secret.', {
  keyId: Type.String(),
  applicationId: Type.Uuid('The application.'),
  state: KeyState,
  createdAt: Type.Instant('When it was issued.'),
  expiresAt: Type.Instant('When it ends.'),
  revokedAt: Type.Nullable(Type.Instant('When it was revoked.')),
  lastUsedAt: Type.Nullable(Type.Instant('When it last got a token.')),
  networks: AllowedNetworks,
});

export const KeyList = Type.ListOf(
  PartnerKey,
  'KeyList',
  'The keys of an application, oldest first.',
);

// A minute.
const shortestDays = 1 / 1_440;

export const KeyIssue = Type.RequestObject(
  'KeyIssue',
  'How long the key is valid, and from where.',
  {
    expiresInDays: Type.Optional(
      Type.Number({
        minimum: shortestDays,
        maximum: keyDays.max,
        description: 'Its lifetime in days: 0.5 is twelve hours. The default is 365 days.',
      }),
    ),
    networks: Type.Optional(Networks),
  },
);

export const SigningKeyRotation = Type.RequestObject(
  'SigningKeyRotation',
  'What becomes of issued tokens.',
  {
    atOnce: Type.Optional(
      Type.Flag(
        'Ends what the keys before have signed, within seconds in every process: partners exchange their keys again. Without it, issued tokens end by themselves, within 15 minutes.',
      ),
    ),
  },
);

export const PortalLink = Type.ResponseObject('PortalLink', 'A link to the portal.', {
  url: Type.Text('Shown once. It opens the portal, one time.'),
  expiresAt: Type.Instant('Until when it can be used.'),
});

export const InvitePerson = Type.RequestObject('InvitePerson', 'A person of the partner.', {
  name: Type.GivenText(portalLimits.personNameLength, 'The name of the person.'),
  email: Type.String({
    format: 'email',
    pattern: patterns.plainEmail.pattern,
    maxLength: limits.emailLength,
    description: 'The address of the person. Nothing is sent to it.',
  }),
});

export const InvitedPerson = Type.ResponseObject(
  'InvitedPerson',
  'A person and their link to the portal.',
  {
    personId: Type.Uuid('The person.'),
    name: Type.String(),
    email: Type.String(),
    url: Type.Text('Shown once. It opens the portal in their name, one time.'),
    expiresAt: Type.Instant('Until when it can be used.'),
  },
);

const PortalPerson = Type.ResponseObject(
  'PortalPerson',
  'A person of a partner, with their sessions.',
  {
    personId: Type.Uuid('The person.'),
    name: Type.String(),
    email: Type.String(),
    createdAt: Type.Instant('Since when they may use the portal.'),
    sessions: Type.Array(PortalSession),
  },
);

export const PortalPeople = Type.ResponseObject(
  'PortalPeople',
  'Who uses the portal of an application.',
  {
    items: Type.Array(PortalPerson, { description: 'By address.' }),
    otherSessions: Type.Array(PortalSession, {
      description: 'Sessions of nobody by name, from plain links.',
    }),
  },
);

export const SigningKey = Type.ResponseObject(
  'SigningKey',
  'A key that signs, or has signed, access tokens.',
  {
    keyId: Type.String(),
    state: Type.Enum(['signing', 'verifying'], { $id: 'SigningKeyState' }),
    createdAt: Type.Instant('When it was made.'),
    retiredAt: Type.Nullable(Type.Instant('When another replaced it.')),
  },
);

export const SigningKeyList = Type.ListOf(
  SigningKey,
  'SigningKeyList',
  'The keys whose tokens can still be valid, newest first.',
);
