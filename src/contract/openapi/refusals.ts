import { commonErrors, errors, reasons, type ErrorCode } from '../errors.ts';
import type { OperationRow } from '../operations.ts';
import { ErrorEnvelope } from '../schemas/error.ts';
import { codeTexts, reasonTexts, type Reason } from './causes.ts';
import type { Components } from './components.ts';
import type { ExampleObject, JsonObject, Reference, ResponseObject } from './document.ts';
import { authenticatedHeaders, writeHeaders, type ReplyHeader } from './headers.ts';
import { writeSchema } from './schemas.ts';
import { inCapitals } from './names.ts';

/** The reasons that an operation gives for a code. */
export type Causes = Readonly<Partial<Record<ErrorCode, readonly Reason[]>>>;

/** A code that a status stands for, with its reasons in one operation. */
interface Refused {
  code: ErrorCode;
  reasons: readonly Reason[];
}

const requestId = '8d1f6c52-0b9e-4a37-9c58-e3d2b1a09f46';
const exampleDelaySeconds = 2;
const invalidFields = [
  { path: '/party/adults', message: 'must be an integer' },
  { path: '/checkOut', message: 'must be after checkIn' },
];

const forbiddenReasons = (row: OperationRow): readonly Reason[] =>
  row.session ? reasons.forbidden : reasons.forbidden.filter((reason) => reason === 'scope');

function refusedBy(row: OperationRow, causes: Causes): Refused[] {
  const forbidden = { forbidden: forbiddenReasons(row) };
  const own: Causes = { ...forbidden, ...causes };
  const codes: ErrorCode[] = [...commonErrors, ...row.errors];
  return codes.map((code) => ({ code, reasons: own[code] ?? [] }));
}

/** An error as an example shows it; its message is the code's own where no other is given. */
export function exampleEnvelope(
  code: ErrorCode,
  details?: JsonObject,
  message: string = errors[code].message,
): JsonObject {
  const { retryable } = errors[code];
  return {
    error: {
      code,
      message,
      requestId,
      retryable,
      ...(retryable && { retryAfterSeconds: exampleDelaySeconds }),
      ...(details && { details }),
    },
  };
}

// Summaries are plain text.
const withoutMarks = (text: string): string => text.replaceAll('`', '');

function examplesOf({ code, reasons: given }: Refused): [string, ExampleObject][] {
  if (code === 'invalid_input') {
    return [
      [
        code,
        { summary: 'Two fields failed', value: exampleEnvelope(code, { fields: invalidFields }) },
      ],
    ];
  }
  if (given.length === 0)
    return [[code, { summary: errors[code].message, value: exampleEnvelope(code) }]];
  return given.map((reason) => [
    reason,
    { summary: withoutMarks(reasonTexts[reason]), value: exampleEnvelope(code, { reason }) },
  ]);
}

const describe = ({ code, reasons: given }: Refused): string =>
  [
    `\`${code}\`: ${codeTexts[code]}`,
    ...given.map((reason) => `  - \`${reason}\`: ${reasonTexts[reason]}`),
  ].join('\n');

const isRetryable = ({ code }: Refused): boolean => errors[code].retryable;

function headersOf(status: number, refused: readonly Refused[]): ReplyHeader[] {
  return [
    ...(status === 401 ? (['x-request-id', 'WWW-Authenticate'] as const) : authenticatedHeaders),
    ...(refused.some(isRetryable) ? (['Retry-After'] as const) : []),
  ];
}

function writeResponse(
  status: number,
  refused: readonly Refused[],
  components: Components,
): ResponseObject {
  return {
    description: refused.map(describe).join('\n\n'),
    headers: writeHeaders(headersOf(status, refused), components),
    content: {
      'application/json': {
        schema: writeSchema(ErrorEnvelope, components),
        examples: Object.fromEntries(refused.flatMap(examplesOf)),
      },
    },
  };
}

/** The name under which an answer is shared; null: its reasons are those of one operation. */
function sharedName(refused: readonly Refused[], row: OperationRow): string | null {
  const own = refused.some(({ code, reasons: given }) => code !== 'forbidden' && given.length > 0);
  if (own) return null;
  const name = refused.map(({ code }) => inCapitals(code)).join('Or');
  const session = row.session && refused.some(({ code }) => code === 'forbidden');
  return session ? `${name}WithSession` : name;
}

/** Every error answer of an operation, by status; those that are the same elsewhere are shared. */
export function writeRefusals(
  row: OperationRow,
  causes: Causes,
  components: Components,
): [string, ResponseObject | Reference][] {
  const byStatus = Map.groupBy(refusedBy(row, causes), ({ code }) => errors[code].status);
  return [...byStatus].map(([status, refused]) => {
    const response = writeResponse(status, refused, components);
    const name = sharedName(refused, row);
    return [`${status}`, name ? components.share('responses', name, response) : response];
  });
}
