import * as Type from '../../type.ts';
import { QuotaTier } from '../../partner/schemas/error.ts';
import { operatorLimits } from '../../operator/limits.ts';

const QuotaUse = Type.ResponseObject(
  'PortalQuotaUse',
  'The use of a quota. The quota refills continuously.',
  {
    tier: QuotaTier,
    limit: Type.Whole('Calls per minute that your application has.'),
    perMinute: Type.Whole(
      'Calls per minute that are counted here: the limit, or the share of a process.',
    ),
    available: Type.AtLeast(0, 'Calls that can be made now.'),
    fullInSeconds: Type.AtLeast(0, 'When all calls of the limit can be made again.'),
  },
);

export const Quotas = Type.ResponseObject(
  'PortalQuotas',
  'The quotas of your application, and how much is used.',
  {
    tiers: Type.Array(QuotaUse),
    exact: Type.Flag(
      'True: `available` counts all calls. False: several processes serve calls and cannot share their counts now. Each gives its share of the limit, and the figures are those of the process that responded.',
    ),
    reservationsPerDay: Type.Nullable(
      Type.ResponseObject('DailyLimit', 'The reservations of a day.', {
        limit: Type.Integer({ minimum: 0 }),
        used: Type.AtLeast(0, 'Of today, in UTC.'),
      }),
      'Null: there is no daily limit.',
    ),
  },
);

export const KeyState = Type.OpenEnum(
  ['active', 'expired', 'revoked'],
  'KeyState',
  'Only an `active` key gets tokens.',
);

export const Key = Type.ResponseObject('PortalKey', 'A key, without its secret.', {
  keyId: Type.String(),
  state: KeyState,
  createdAt: Type.Instant('When it was issued.'),
  expiresAt: Type.Instant('When it ends.'),
  revokedAt: Type.Nullable(Type.String({ format: 'date-time' }), 'When it was revoked.'),
  lastUsedAt: Type.Nullable(
    Type.String({ format: 'date-time' }),
    'When it last got a token, to the minute.',
  ),
});

export const KeyList = Type.ResponseObject('PortalKeyList', 'Every key, oldest first.', {
  items: Type.Array(Key),
  mayChange: Type.Flag('Whether the operator lets you issue and revoke keys here.'),
});

export const IssueKey = Type.RequestObject('IssueKeyInPortal', 'How long the key is valid.', {
  expiresInDays: Type.Optional(
    Type.WholeFrom(1, operatorLimits.keyDays.max, 'Its lifetime in days; 365 if absent.'),
  ),
});

export const IssuedKey = Type.ResponseObject(
  'IssuedPortalKey',
  'The new key. Only this response contains it.',
  {
    keyId: Type.String(),
    applicationKey: Type.Text('Shown once: store it on a server.'),
    expiresAt: Type.Instant('When it ends.'),
  },
);

export const RevokeKey = Type.RequestObject(
  'RevokeKeyInPortal',
  'A confirmation for the last usable key.',
  {
    lastToo: Type.Optional(
      Type.Flag('Also revokes the last usable key: your program then gets no more tokens.'),
    ),
  },
);
