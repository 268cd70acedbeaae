import Type from 'typebox';
import { QuotaTier } from '../../partner/schemas/error.ts';
import { operatorLimits } from '../../operator/limits.ts';
import {
  Instant,
  OpenEnum,
  requestOptions,
  responseOptions,
} from '../../partner/schemas/primitives.ts';
import { orNull } from './bookings.ts';

const QuotaUse = Type.Object(
  {
    tier: QuotaTier,
    limit: Type.Integer({ description: 'Calls per minute that your application has.' }),
    perMinute: Type.Integer({
      description: 'Calls per minute that are counted here: the limit, or the share of a process.',
    }),
    available: Type.Integer({ minimum: 0, description: 'Calls that can be made now.' }),
    fullInSeconds: Type.Integer({
      minimum: 0,
      description: 'When all calls of the limit can be made again.',
    }),
  },
  responseOptions('PortalQuotaUse', 'The use of a quota. The quota refills continuously.'),
);

export const Quotas = Type.Object(
  {
    tiers: Type.Array(QuotaUse),
    exact: Type.Boolean({
      description:
        'True: `available` counts all calls. False: several processes serve calls and cannot share their counts now. Each gives its share of the limit, and the figures are those of the process that responded.',
    }),
    reservationsPerDay: Type.Union(
      [
        Type.Object(
          {
            limit: Type.Integer({ minimum: 0 }),
            used: Type.Integer({ minimum: 0, description: 'Of today, in UTC.' }),
          },
          responseOptions('DailyLimit', 'The reservations of a day.'),
        ),
        Type.Null(),
      ],
      { description: 'Null: there is no daily limit.' },
    ),
  },
  responseOptions('PortalQuotas', 'The quotas of your application, and how much is used.'),
);

export const KeyState = OpenEnum(
  ['active', 'expired', 'revoked'],
  'KeyState',
  'Only an `active` key gets tokens.',
);

export const Key = Type.Object(
  {
    keyId: Type.String(),
    state: KeyState,
    createdAt: Instant('When it was issued.'),
    expiresAt: Instant('When it ends.'),
    revokedAt: orNull(Type.String({ format: 'date-time' }), 'When it was revoked.'),
    lastUsedAt: orNull(
      Type.String({ format: 'date-time' }),
      'When it last got a token, to the minute.',
    ),
  },
  responseOptions('PortalKey', 'A key, without its secret.'),
);

export const KeyList = Type.Object(
  {
    items: Type.Array(Key),
    mayChange: Type.Boolean({
      description: 'Whether the operator lets you issue and revoke keys here.',
    }),
  },
  responseOptions('PortalKeyList', 'Every key, oldest first.'),
);

export const IssueKey = Type.Object(
  {
    expiresInDays: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: operatorLimits.keyDays.max,
        description: 'Its lifetime in days; 365 if absent.',
      }),
    ),
  },
  requestOptions('IssueKeyInPortal', 'How long the key is valid.'),
);

export const IssuedKey = Type.Object(
  {
    keyId: Type.String(),
    applicationKey: Type.String({ description: 'Shown once: store it on a server.' }),
    expiresAt: Instant('When it ends.'),
  },
  responseOptions('IssuedPortalKey', 'The new key. Only this response contains it.'),
);

export const KeyPath = Type.Object({
  keyId: Type.String({ minLength: 1, maxLength: 100, description: 'The key, by its ID.' }),
});

export const RevokeKey = Type.Object(
  {
    lastToo: Type.Optional(
      Type.Boolean({
        description: 'Also revokes the last usable key: your program then gets no more tokens.',
      }),
    ),
  },
  requestOptions('RevokeKeyInPortal', 'A confirmation for the last usable key.'),
);
