import type { TSchema } from 'typebox';
import { deprecationOf } from '../deprecation.ts';
import { commonErrors, errors, reasons, type ErrorCode } from '../errors.ts';
import { defaultQuotas, limits } from '../limits.ts';
import type { OperationRow } from '../partner/operations.ts';
import { ErrorEnvelope } from '../partner/schemas/error.ts';
import { codeTexts, reasonTexts, type Reason } from './causes.ts';
import type { Components } from './components.ts';
import type { OperationObject } from './document.ts';
import { authenticatedHeaders, isNeverStored, type ReplyHeader } from './headers.ts';
import { pascalCase } from './names.ts';
import { writeRow } from './paths.ts';
import { securityOf } from './security.ts';
import type { Causes, DescribedOperation, Refused, DocumentStyle } from './document-style.ts';

const settlementTexts = {
  configured:
    'A card-paying application needs a payment provider in this environment; without one it gets 503 `not_configured`.',
  card: 'Card-paying applications only.',
  partner: 'Partner-settled applications only.',
} as const;

const sessionTexts = {
  required: 'Needs the `Session-Capability` of the checkout.',
  joined: 'Needs the `Session-Capability` of the checkout if the body names one.',
} as const;

/** The lines that are generated from a row, after its own description. */
const facts: ((row: OperationRow) => string | null | undefined)[] = [
  (row) => `**Scope** \`${row.scope}\`.`,
  (row) =>
    `**Quota** tier \`${row.tier}\`: ${defaultQuotas[row.tier]} calls per minute by default.`,
  (row) => row.session && `**Session** ${sessionTexts[row.session]}`,
  (row) => row.settlement && `**Settlement** ${settlementTexts[row.settlement]}`,
  (row) =>
    row.reserves &&
    '**Daily limit** The operator can limit the reservations of your application per day (UTC). Above it, the call is `rate_limited` with reason `reservations_per_day`; `Retry-After` is the time until the end of the day. Failed and cancelled reservations and repeats are not counted.',
  (row) =>
    row.creates &&
    `**Repeats** You choose \`${row.creates}\`, so you can repeat the call. The same ID with the same input returns the existing resource and uses no quota. The same ID with different input is \`conflict\` with reason \`different_input\`. \`Idempotency-Key\` can replace the ID.`,
  (row) =>
    row.versioned &&
    '**Version** Send the version that you last read as `expectedVersion` or `If-Match`. A stale version is 412.',
  (row) => row.deprecatedSince && `**Deprecated** since ${row.deprecatedSince}.`,
];

const describe = ({ row, notes }: DescribedOperation<OperationRow>): string =>
  [
    ...(row.description ? [row.description] : []),
    ...notes,
    facts
      .map((fact) => fact(row))
      .filter(Boolean)
      .map((fact) => `- ${fact}`)
      .join('\n'),
  ].join('\n\n');

/** Headers of successful responses, and when they are sent. */
const carried: { header: ReplyHeader; when: (row: OperationRow, status: number) => boolean }[] = [
  { header: 'ETag', when: (row) => row.etag !== undefined },
  { header: 'x-as-of', when: (row) => row.asOf === true },
  { header: 'Location', when: (_row, status) => status === 202 },
  { header: 'Retry-After', when: (_row, status) => status === 202 },
  { header: 'Cache-Control', when: (row) => isNeverStored(row) },
  { header: 'Deprecation', when: (row) => deprecationOf(row) !== null },
];

function replyText(row: OperationRow, status: number, schema: TSchema | null): string {
  if (row.creates !== undefined && status === 200) {
    return 'A repeat of an earlier create: the resource in its current state. Uses no quota.';
  }
  if (status === 201) return 'Created.';
  if (status === 202) return 'Accepted, not completed: read the resource in `Location`.';
  return schema && 'description' in schema ? `${schema.description}` : 'Done.';
}

const forbiddenReasons = (row: OperationRow): readonly Reason[] =>
  row.session
    ? reasons.forbidden
    : reasons.forbidden.filter((reason) => reason === 'network' || reason === 'scope');

function refusals(row: OperationRow, causes: Causes): Refused[] {
  const own: Causes = {
    unauthenticated: reasons.unauthenticated,
    forbidden: forbiddenReasons(row),
    ...(row.reserves && { rate_limited: reasons.rate_limited }),
    ...causes,
  };
  const codes: ErrorCode[] = [...commonErrors, ...row.errors];
  return codes.map((code) => ({ code, reasons: own[code] ?? [] }));
}

/** Codes whose reasons are the same in many operations. */
const shared: ReadonlySet<ErrorCode> = new Set(['unauthenticated', 'forbidden']);

/** The component name of an error response; null: its reasons belong to one operation. */
function sharedName(refused: readonly Refused[], row: OperationRow): string | null {
  const own = refused.some(({ code, reasons: given }) => !shared.has(code) && given.length > 0);
  if (own) return null;
  const name = refused.map(({ code }) => pascalCase(code)).join('Or');
  const session = row.session && refused.some(({ code }) => code === 'forbidden');
  return session ? `${name}WithSession` : name;
}

// Summaries are plain text, not Markdown.
const withoutMarks = (text: string): string => text.replaceAll('`', '');

const reasonText = (_code: ErrorCode, reason: string): string => reasonTexts[reason as Reason];

const exampleAlternative = {
  checkIn: '2027-03-06',
  checkOut: '2027-03-11',
  total: 118_160,
  currency: 'USD',
};

/** What an example of a reason, or of a code without one, has beside it. */
const exampleDetails: Readonly<Record<string, object>> = {
  scope: { scope: 'reservation.quote.create' },
  min_nights: { limit: 5, alternatives: [exampleAlternative] },
  max_nights: { limit: 28, alternatives: [exampleAlternative] },
  advance_notice: { limit: 2, alternatives: [exampleAlternative] },
  booking_horizon: { limit: 365, alternatives: [exampleAlternative] },
  arrival_day: { allowed: ['sat'], alternatives: [exampleAlternative] },
  departure_day: { allowed: ['sat'], alternatives: [exampleAlternative] },
  too_many_guests: { limit: 4 },
  too_many_pets: { limit: 1 },
  unavailable: { nights: ['2027-03-04'], alternatives: [exampleAlternative] },
  quote_used: { checkoutId: '01a406c7-566a-7c77-a1e5-969f7edd4981' },
  partner_reference: { reservationRequestId: '01a406c7-566a-7c77-a1e5-969f7edd4981' },
  rate_limited: { tier: 'search' },
};

/** The style of the partners' document. */
export const partnerStyle: DocumentStyle<OperationRow> = {
  describe,
  extensions: (row) => ({
    'x-required-scope': row.scope,
    'x-quota-tier': row.tier,
    ...(row.settlement && { 'x-settlement': row.settlement }),
  }),
  security: securityOf,
  bodyText: `JSON in UTF-8, at most ${limits.bodyBytes} bytes. Unknown members are refused.`,
  envelope: ErrorEnvelope,
  replyText,
  replyHeaders: (row, status) => [
    ...authenticatedHeaders,
    ...carried.filter(({ when }) => when(row, status)).map(({ header }) => header),
  ],
  refusals,
  refusalHeaders(status) {
    if (status === 401) return ['x-request-id', 'WWW-Authenticate'];
    return status === 403
      ? [...authenticatedHeaders, 'WWW-Authenticate-Scope']
      : authenticatedHeaders;
  },
  codeText: (code) => codeTexts[code],
  message: (code) => errors[code].message,
  reasonText,
  reasonSummary: (code, reason) => withoutMarks(reasonText(code, reason)),
  invalid: {
    summary: 'Two fields failed',
    fields: [
      { path: '/party/adults', message: 'must be an integer' },
      { path: '/checkOut', message: 'must be after checkIn' },
    ],
  },
  sharedName,
  exampleDetails,
};

/** Writes one operation of the partners' table. */
export const writeOperation = (
  described: DescribedOperation<OperationRow>,
  components: Components,
): OperationObject => writeRow(partnerStyle, described, components);
