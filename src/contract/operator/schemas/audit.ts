import Type from 'typebox';
import { auditActions } from '../audit-actions.ts';
import { Described, Instant, Nullable, Uuid, UuidInput } from '../../partner/schemas/primitives.ts';
import { KeptDate, pageQuery, PageOf } from './shared.ts';

const AuditActionName = Type.Enum([...auditActions], {
  $id: 'AuditAction',
  description: 'What the audit trail can say was done.',
});

export const AuditQuery = Type.Object(
  {
    actor: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'Only what this actor did.' }),
    ),
    reference: Type.Optional(
      Type.String({ minLength: 1, maxLength: 40, description: 'Only about this reservation.' }),
    ),
    applicationId: Type.Optional(UuidInput('Only about this application.')),
    action: Type.Optional(Described(AuditActionName, 'Only this action.')),
    from: Type.Optional(KeptDate('Only from this day, in UTC.')),
    until: Type.Optional(KeptDate('Only until the end of this day, in UTC.')),
    ...pageQuery,
  },
  { additionalProperties: false },
);

const AuditEntry = Type.Object(
  {
    entryId: Type.Integer({ description: 'Rises with each entry.' }),
    happenedAt: Instant('When it was done.'),
    actor: Type.String({ description: 'Who did it.' }),
    source: Nullable(
      Type.String({
        description: 'From where: `command line`, `console 203.0.113.5`. Null: not recorded.',
      }),
    ),
    action: Type.String({ description: 'Noun and verb: `application.suspend`.' }),
    applicationId: Nullable(Uuid('The application that it is about.')),
    reference: Nullable(Type.String({ description: 'The reservation that it is about.' })),
    details: Type.Record(Type.String(), Type.Unknown(), { description: 'What changed, and why.' }),
  },
  { $id: 'AuditEntry' },
);

export const AuditPage = PageOf(
  AuditEntry,
  'AuditPage',
  'Actions of staff and partners, newest first.',
);
