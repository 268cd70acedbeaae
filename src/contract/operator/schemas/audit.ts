import Type from 'typebox';
import { patterns } from '../../patterns.ts';
import { auditActions } from '../audit-actions.ts';
import {
  Described,
  Flag,
  Instant,
  Integer,
  Nullable,
  optional,
  RequestObject,
  ResponseObject,
  Text,
  Uuid,
  UuidInput,
} from '../../partner/schemas/primitives.ts';
import { KeptDate, pageQuery, PageOf } from './shared.ts';

const AuditActionName = Type.Enum([...auditActions], {
  $id: 'AuditAction',
  description: 'What the audit trail can say was done.',
});

export const AuditQuery = RequestObject({
  ...optional({
    actor: Type.String({ minLength: 1, maxLength: 200, description: 'Only what this actor did.' }),
    reference: Type.String({
      minLength: 1,
      maxLength: 40,
      description: 'Only about this reservation.',
    }),
    applicationId: UuidInput('Only about this application.'),
    listing: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Only about this home: its slug.',
    }),
    action: Described(AuditActionName, 'Only this action.'),
    from: KeptDate('Only from this day.'),
    until: KeptDate('Only until the end of this day.'),
    timeZone: Type.String({
      minLength: 1,
      maxLength: 64,
      pattern: patterns.line.pattern,
      description: 'The time zone of these days, as `Europe/Lisbon`. Default: UTC.',
    }),
  }),
  ...pageQuery,
});

const AuditEntry = ResponseObject('AuditEntry', {
  entryId: Integer('Rises with each entry.'),
  happenedAt: Instant('When it was done.'),
  actor: Text('Who did it.'),
  source: Nullable(Text('From where: `command line`, `console 203.0.113.5`. Null: not recorded.')),
  action: Text('Noun and verb: `application.suspend`.'),
  applicationId: Nullable(Uuid('The application that it is about.')),
  reference: Nullable(Text('The reservation that it is about.')),
  details: Type.Record(Type.String(), Type.Unknown(), { description: 'What changed, and why.' }),
});

export const AuditPage = PageOf(
  AuditEntry,
  'AuditPage',
  'Actions of staff and partners, newest first.',
);

const hash = '^[0-9a-f]{64}$';

export const VerifyAudit = RequestObject({
  ...optional({
    after: Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        'Only links after this position, which an earlier verification has told; absent: from the first one.',
    }),
    links: Type.Integer({
      minimum: 1,
      maximum: 20_000,
      description:
        'At most so many. Absent: a call verifies 20,000, or 16 MB; the command line goes on to the end.',
    }),
    expectedPosition: Type.Integer({
      minimum: 1,
      description: 'A position that an earlier verification has told.',
    }),
    expectedHash: Type.String({
      minLength: 64,
      maxLength: 64,
      pattern: patterns.hexDigest.pattern,
      description: 'The hash that it has told with it.',
    }),
  }),
});

export const VerifiedAudit = ResponseObject(
  'VerifiedAudit',
  'The audit trail is whole, until `position`.',
  {
    entries: Integer('Entries of the trail.'),
    erased: Integer('Verified entries whose text was erased with a guest.'),
    position: Integer(
      'The last link that was verified: the last one of the chain, unless `hasMore`.',
    ),
    hash: Type.String({ pattern: hash, description: 'Its hash: keep both elsewhere.' }),
    removedUntil: Integer(
      'The last link of the entries that were removed after seven years; 0: none.',
    ),
    hasMore: Flag(
      'Whether links after `position` are still to be verified: call again with it as `after`.',
    ),
  },
);

export const AuditExportQuery = RequestObject({
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Only links after this position; absent: from the first one.',
    }),
  ),
  links: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 10_000,
      description: 'At most so many, and 8 MB. Default: 1,000.',
    }),
  ),
});

export const AuditExport = ResponseObject(
  'AuditExport',
  'Links of the audit trail, oldest first.',
  {
    before: Type.String({
      pattern: hash,
      description: 'The hash before the first of these links.',
    }),
    items: Type.Array(
      ResponseObject('AuditLink', {
        position: Integer('Counts without a gap.'),
        hash: Type.String({
          pattern: hash,
          description: 'SHA-256 of the hash before and `line`.',
        }),
        line: Text('The entry as it was hashed: JSON.'),
        text: Nullable(
          Text(
            'What people have written, as JSON; its SHA-256 is `textDigest` of the line. Null: nothing, or it was erased.',
          ),
        ),
      }),
    ),
    last: Integer('The position to go on after.'),
    hasMore: Flag('Whether there are more links now.'),
  },
);
