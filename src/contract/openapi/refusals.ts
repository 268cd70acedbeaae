import { errors, type ErrorCode } from '../errors.ts';
import type { Row } from '../rows.ts';
import type { Components } from './components.ts';
import type { ExampleObject, JsonObject, Reference, ResponseObject } from './document.ts';
import { writeHeaders, type ReplyHeader } from './headers.ts';
import { writeSchema } from './schemas.ts';
import type { Causes, Refused, DocumentStyle } from './document-style.ts';

const requestId = '8d1f6c52-0b9e-4a37-9c58-e3d2b1a09f46';
const exampleDelaySeconds = 2;
const exampleDelays: Readonly<Record<string, number>> = { reservations_per_day: 41_400 };

/** The example of an error. */
function exampleEnvelope(code: ErrorCode, message: string, details?: object): JsonObject {
  const { retryable } = errors[code];
  const { reason = '' } = (details ?? {}) as { reason?: string };
  const delaySeconds = exampleDelays[reason] ?? exampleDelaySeconds;
  return {
    error: {
      code,
      message,
      requestId,
      retryable,
      ...(retryable && { retryAfterSeconds: delaySeconds }),
      ...(details && { details }),
    },
  };
}

function examplesOf<R extends Row>(
  style: DocumentStyle<R>,
  { code, reasons }: Refused,
): [string, ExampleObject][] {
  const message = style.message(code);
  if (code === 'invalid_input') {
    const { summary, fields } = style.invalid;
    return [[code, { summary, value: exampleEnvelope(code, message, { fields }) }]];
  }
  const plain: [string, ExampleObject] = [
    code,
    { summary: message, value: exampleEnvelope(code, message, style.exampleDetails[code]) },
  ];
  const ofReasons = reasons.map((reason): [string, ExampleObject] => [
    reason,
    {
      summary: style.reasonSummary(code, reason),
      value: exampleEnvelope(code, message, { reason, ...style.exampleDetails[reason] }),
    },
  ]);
  return code === 'rate_limited' || reasons.length === 0 ? [plain, ...ofReasons] : ofReasons;
}

const describe = <R extends Row>(style: DocumentStyle<R>, { code, reasons }: Refused): string =>
  [
    `\`${code}\`: ${style.codeText(code)}`,
    ...reasons.map((reason) => `  - \`${reason}\`: ${style.reasonText(code, reason)}`),
  ].join('\n');

const isRetryable = ({ code }: Refused): boolean => errors[code].retryable;

function writeResponse<R extends Row>(
  style: DocumentStyle<R>,
  status: number,
  refused: readonly Refused[],
  components: Components,
): ResponseObject {
  const headers: ReplyHeader[] = [
    ...style.refusalHeaders(status),
    ...(refused.some(isRetryable) ? (['Retry-After'] as const) : []),
  ];
  return {
    description: refused.map((one) => describe(style, one)).join('\n\n'),
    headers: writeHeaders(headers, components),
    content: {
      'application/json': {
        schema: writeSchema(style.envelope, components),
        examples: Object.fromEntries(refused.flatMap((one) => examplesOf(style, one))),
      },
    },
  };
}

/** Every error response of an operation, by status. Equal ones become shared components. */
export function writeRefusals<R extends Row>(
  style: DocumentStyle<R>,
  row: R,
  causes: Causes,
  components: Components,
): [string, ResponseObject | Reference][] {
  const byStatus = Map.groupBy(style.refusals(row, causes), ({ code }) => errors[code].status);
  return [...byStatus].map(([status, refused]) => {
    const response = writeResponse(style, status, refused, components);
    const name = style.sharedName(refused, row);
    return [`${status}`, name ? components.share('responses', name, response) : response];
  });
}
