import type { TSchema } from 'typebox';
import * as Type from '../type.ts';
import { createComponents } from '../openapi/components.ts';
import type { OpenApiDocument, SecurityScheme, TagObject } from '../openapi/document.ts';
import type { DescribedOperation, DocumentStyle, Refused } from '../openapi/document-style.ts';
import { servers } from '../openapi/environments.ts';
import { pascalCase } from '../openapi/names.ts';
import { writePaths } from '../openapi/paths.ts';
import type { ErrorCode } from '../errors.ts';
import { OwnErrorEnvelope } from '../partner/schemas/error.ts';
import { wireVersion } from '../wire.ts';
import { sandboxMessage, sandboxReasonText } from './errors.ts';
import { exampleOf } from '../examples.ts';
import {
  type SandboxOperationId,
  sandboxOperationIds,
  type SandboxRow,
  sandboxRowOf,
} from './operations.ts';

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

const replyTexts: Readonly<Record<number, string>> = {
  201: 'Created.',
  202: 'The deliveries are due.',
  204: 'Done.',
};

const replyText = (_row: SandboxRow, status: number, schema: TSchema | null): string =>
  replyTexts[status] ??
  (schema && 'description' in schema ? `${String(schema.description)}` : 'Done.');

const style: DocumentStyle<SandboxRow> = {
  describe: ({ row }) => row.description ?? `${row.summary}.`,
  extensions: () => ({}),
  security: () => [{ Application: [] }],
  bodyText: 'JSON in UTF-8. Unknown members are refused.',
  envelope: OwnErrorEnvelope({
    runId: Type.Optional(Type.Uuid('With reason `run_open` of `conflict`: the open run.')),
  }),
  replyText,
  replyHeaders: (_row, status) => [
    'x-request-id',
    'Cache-Control',
    ...(status === 201 ? (['Location'] as const) : []),
  ],
  refusals,
  refusalHeaders: (status) =>
    status === 401 ? ['x-request-id', 'WWW-Authenticate'] : ['x-request-id'],
  codeText: sandboxMessage,
  message: sandboxMessage,
  reasonText: sandboxReasonText,
  reasonSummary: sandboxReasonText,
  invalid: {
    summary: 'The request is not valid.',
    fields: [{ path: '/rules/0/match/nth', message: 'must be >= 1' }],
  },
  exampleDetails: {},
  sharedName: (refused, row) =>
    row.reasons && refused.some(({ code }) => code in row.reasons!)
      ? null
      : refused.map(({ code }) => pascalCase(code)).join('Or'),
};

function described(id: SandboxOperationId): DescribedOperation<SandboxRow> {
  return { id, row: sandboxRowOf(id), notes: [], causes: {}, examples: exampleOf(id) };
}

/** The sandbox as an OpenAPI 3.1 document, generated from its table. */
export function sandboxDocument(): Omit<OpenApiDocument, 'webhooks'> {
  const components = createComponents();
  const paths = writePaths(style, sandboxOperationIds.map(described), components);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Latchkey sandbox',
      version: wireVersion,
      summary: 'Faults, outcomes and acts that partners order in the simulation.',
      description: guide,
      license: { name: 'All rights reserved', identifier: 'LicenseRef-Latchkey' },
    },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    servers,
    tags,
    security: [{ Application: [] }],
    paths,
    components: { ...components.shared(), securitySchemes },
  };
}
