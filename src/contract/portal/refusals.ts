import { errors } from '../errors.ts';
import type { Components } from '../openapi/components.ts';
import type { ExampleObject, Reference, ResponseObject } from '../openapi/document.ts';
import { writeHeaders, type ReplyHeader } from '../openapi/headers.ts';
import { inCapitals } from '../openapi/names.ts';
import { exampleEnvelope } from '../openapi/refusals.ts';
import { writeSchema } from '../openapi/schemas.ts';
import { PortalErrorEnvelope } from '../schemas/error.ts';
import { commonPortalErrors, portalErrors, portalReasons, type PortalErrorCode } from './errors.ts';
import { changesSomething, type PortalRow } from './operations.ts';

const invalidFields = [{ path: '/url', message: 'must be https' }];

/** The reasons that an operation gives for a code, with what they mean. */
function reasonsOf(code: PortalErrorCode, row: PortalRow): [string, string][] {
  const known: Partial<Record<PortalErrorCode, Record<string, string>>> = portalReasons;
  const all = Object.entries(known[code] ?? {});
  if (code !== 'unauthenticated') return all;
  const wanted = row.session === 'begins' ? 'link' : 'session';
  return all.filter(([reason]) => reason === wanted);
}

function examplesOf(code: PortalErrorCode, row: PortalRow): [string, ExampleObject][] {
  const summary = portalErrors[code];
  if (code === 'invalid_input') {
    return [[code, { summary, value: exampleEnvelope(code, { fields: invalidFields }, summary) }]];
  }
  const reasons = reasonsOf(code, row);
  if (reasons.length === 0) {
    return [[code, { summary, value: exampleEnvelope(code, undefined, summary) }]];
  }
  return reasons.map(([reason]) => [
    reason,
    { summary, value: exampleEnvelope(code, { reason }, summary) },
  ]);
}

const describe = (code: PortalErrorCode, row: PortalRow): string =>
  [
    `\`${code}\`: ${portalErrors[code]}`,
    ...reasonsOf(code, row).map(([reason, text]) => `  - \`${reason}\`: ${text}`),
  ].join('\n');

function headersOf(code: PortalErrorCode): ReplyHeader[] {
  return [
    'x-request-id',
    ...(code === 'unauthenticated' ? (['WWW-Authenticate'] as const) : []),
    ...(errors[code].retryable ? (['Retry-After'] as const) : []),
  ];
}

const codesOf = (row: PortalRow): PortalErrorCode[] => [
  ...commonPortalErrors,
  ...(changesSomething(row) ? (['forbidden'] as const) : []),
  ...row.errors,
];

/** Every error answer of an operation of the portal, by status: each status stands for one code. */
export function writePortalRefusals(
  row: PortalRow,
  components: Components,
): [string, ResponseObject | Reference][] {
  return codesOf(row).map((code) => {
    const response: ResponseObject = {
      description: describe(code, row),
      headers: writeHeaders(headersOf(code), components),
      content: {
        'application/json': {
          schema: writeSchema(PortalErrorEnvelope, components),
          examples: Object.fromEntries(examplesOf(code, row)),
        },
      },
    };
    // That of the link is no other operation's.
    const isOwn = code === 'unauthenticated' && row.session === 'begins';
    const written = isOwn ? response : components.share('responses', inCapitals(code), response);
    return [`${errors[code].status}`, written];
  });
}
