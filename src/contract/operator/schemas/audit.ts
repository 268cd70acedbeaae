import * as Type from '../../type.ts';
import { patterns } from '../../patterns.ts';
import { auditActions } from '../audit-actions.ts';
import { pageQuery, PageOf } from './shared.ts';

const AuditActionName = Type.Enum([...auditActions], {
  $id: 'AuditAction',
  description: 'What the audit trail can say was done.',
});

export const AuditQuery = Type.RequestObject({
  ...Type.AllOptional({
    actor: Type.GivenText(200, 'Only what this actor did.'),
    reference: Type.GivenText(40, 'Only about this reservation.'),
    applicationId: Type.UuidInput('Only about this application.'),
    listing: Type.GivenText(100, 'Only about this home: its slug.'),
    action: Type.Described(AuditActionName, 'Only this action.'),
    from: Type.KeptDate('Only from this day.'),
    until: Type.KeptDate('Only until the end of this day.'),
    timeZone: Type.GivenText(
      64,
      'The time zone of these days, as `Europe/Lisbon`. Default: UTC.',
      patterns.line,
    ),
  }),
  ...pageQuery,
});

const AuditEntry = Type.ResponseObject('AuditEntry', {
  entryId: Type.Whole('Rises with each entry.'),
  happenedAt: Type.Instant('When it was done.'),
  actor: Type.Text('Who did it.'),
  source: Type.Nullable(
    Type.Text('From where: `command line`, `console 203.0.113.5`. Null: not recorded.'),
  ),
  action: Type.Text('Noun and verb: `application.suspend`.'),
  applicationId: Type.Nullable(Type.Uuid('The application that it is about.')),
  reference: Type.Nullable(Type.Text('The reservation that it is about.')),
  details: Type.Record(Type.String(), Type.Unknown(), { description: 'What changed, and why.' }),
});

export const AuditPage = PageOf(
  AuditEntry,
  'AuditPage',
  'Actions of staff and partners, newest first. With filters, a page can have fewer items than `limit`, even none, and still be followed by others.',
);

const hash = '^[0-9a-f]{64}$';

export const VerifyAudit = Type.RequestObject({
  ...Type.AllOptional({
    after: Type.WholeFrom(
      0,
      Number.MAX_SAFE_INTEGER,
      'Only links after this position, which an earlier verification has returned; absent: from the first one.',
    ),
    links: Type.WholeFrom(
      1,
      20_000,
      'At most so many. Absent: a call verifies 20,000, or 16 MB; the command line goes on to the end.',
    ),
    expectedPosition: Type.AtLeast(1, 'A position that an earlier verification has returned.'),
    expectedHash: Type.String({
      minLength: 64,
      maxLength: 64,
      pattern: patterns.hexDigest.pattern,
      description: 'The hash that it has returned with it.',
    }),
  }),
});

export const VerifiedAudit = Type.ResponseObject(
  'VerifiedAudit',
  'The audit trail is whole, until `position`.',
  {
    entries: Type.Whole('Entries of the trail.'),
    erased: Type.Whole('Verified entries whose text was erased with a guest.'),
    position: Type.Whole(
      'The last link that was verified: the last one of the chain, unless `hasMore`.',
    ),
    hash: Type.String({ pattern: hash, description: 'Its hash: keep both elsewhere.' }),
    removedUntil: Type.Whole(
      'The last link of the entries that were removed after seven years; 0: none.',
    ),
    hasMore: Type.Flag(
      'Whether links after `position` are still to be verified: call again with it as `after`.',
    ),
  },
);

export const AuditExportQuery = Type.RequestObject({
  after: Type.Optional(
    Type.WholeFrom(
      0,
      Number.MAX_SAFE_INTEGER,
      'Only links after this position; absent: from the first one.',
    ),
  ),
  links: Type.Optional(Type.WholeFrom(1, 10_000, 'At most so many, and 8 MB. Default: 1,000.')),
});

export const AuditExport = Type.ResponseObject(
  'AuditExport',
  'Links of the audit trail, oldest first.',
  {
    before: Type.String({
      pattern: hash,
      description: 'The hash before the first of these links.',
    }),
    items: Type.Array(
      Type.ResponseObject('AuditLink', {
        position: Type.Whole('Counts without a gap.'),
        hash: Type.String({
          pattern: hash,
          description: 'SHA-256 of the hash before and `line`.',
        }),
        line: Type.Text('The entry as it was hashed: JSON.'),
        text: Type.Nullable(
          Type.Text(
            'What people have written, as JSON; its SHA-256 is `textDigest` of the line. Null: nothing, or it was erased.',
          ),
        ),
      }),
    ),
    last: Type.Whole('The position to go on after.'),
    hasMore: Type.Flag('Whether there are more links now.'),
  },
);
