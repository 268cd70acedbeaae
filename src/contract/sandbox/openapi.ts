import * as Type from '../type.ts';
import { describedByRow, ownStyle, replyTextBy, writeDocument } from '../openapi/own-document.ts';
import type { OpenApiDocument, SecurityScheme, TagObject } from '../openapi/document.ts';
import type { DocumentStyle, Refused } from '../openapi/document-style.ts';
import { pascalCase } from '../openapi/names.ts';
import type { ErrorCode } from '../errors.ts';
import { OwnErrorEnvelope } from '../partner/schemas/error.ts';
import { sandboxMessage, sandboxReasonText } from './errors.ts';
import { exampleOf } from '../examples.ts';
import { sandboxOperationIds, type SandboxRow, sandboxRowOf } from './operations.ts';

const guide = [
  'What you can order in the simulation for your own calls: faults, outcomes, expiry, acts of staff and deliveries. It exists in the simulation alone, changes nothing for another application, and is off until you ask for it. A restart of the service keeps it.',
  'Calls need an access token of your application, with any scope, and use no quota. Headers, the error envelope and its codes are those of the [contract](/openapi.json).',
].join('\n\n');

const tags: TagObject[] = [
  { name: 'Faults', description: 'Rules by which your calls fail, hang, or answer new values.' },
  { name: 'Acts', description: 'What happens now or next: outcomes, expiry, staff, deliveries.' },
  { name: 'Requests', description: 'The calls of your application, with their results.' },
  {
    name: 'Conformance',
    description: 'Runs that judge your program by the calls that the service sees.',
  },
];

const securitySchemes: Record<string, SecurityScheme> = {
  Application: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'An access token of `POST /oauth/token`, with any scope.',
  },
};

const commonCodes = ['invalid_input', 'unauthenticated', 'rate_limited', 'internal', 'unavailable'];

const refusals = (row: SandboxRow): Refused[] =>
  [...(commonCodes as ErrorCode[]), ...row.errors].map((code) => ({
    code,
    reasons: (row.reasons as Readonly<Partial<Record<ErrorCode, readonly string[]>>>)?.[code] ?? [],
  }));

const replyText = replyTextBy({
  201: 'Created.',
  202: 'The deliveries are due.',
  204: 'Done.',
});

const style: DocumentStyle<SandboxRow> = {
  ...ownStyle,
  describe: ({ row }) => row.description ?? `${row.summary}.`,
  security: () => [{ Application: [] }],
  envelope: OwnErrorEnvelope({
    runId: Type.Optional(Type.Uuid('With reason `run_open` of `conflict`: the open run.')),
  }),
  replyText,
  replyHeaders: (_row, status) => [
    ...ownStyle.replyHeaders(),
    ...(status === 201 ? (['Location'] as const) : []),
  ],
  refusals,
  codeText: sandboxMessage,
  message: sandboxMessage,
  reasonText: sandboxReasonText,
  reasonSummary: sandboxReasonText,
  invalid: {
    summary: 'The request is not valid.',
    fields: [{ path: '/rules/0/match/nth', message: 'must be >= 1' }],
  },
  sharedName: (refused, row) =>
    row.reasons && refused.some(({ code }) => code in row.reasons!)
      ? null
      : refused.map(({ code }) => pascalCase(code)).join('Or'),
};

/** The sandbox as an OpenAPI 3.1 document, generated from its table. */
export const sandboxDocument = (): Omit<OpenApiDocument, 'webhooks'> =>
  writeDocument(
    {
      title: 'Latchkey sandbox',
      summary: 'Faults, outcomes and acts that partners order in the simulation.',
      description: guide,
      tags,
      security: [{ Application: [] }],
      securitySchemes,
    },
    style,
    sandboxOperationIds.map((id) => describedByRow(id, sandboxRowOf(id), exampleOf(id))),
  );
