import { defaultQuotas, limits } from '../limits.ts';
import { isVersionAll, type OperationRow } from '../operations.ts';
import type { Components } from './components.ts';
import type { OperationObject, PathItem, RequestBodyObject } from './document.ts';
import { writeParameters, type ParameterExamples } from './parameters.ts';
import { writeRefusals, type Causes } from './refusals.ts';
import { writeReplies, type ReplyExamples } from './replies.ts';
import { writeSchema } from './schemas.ts';
import { securityOf } from './security.ts';

/** A row of the operation table, with all that is said about it elsewhere. */
export interface DescribedOperation {
  id: string;
  row: OperationRow;
  notes: readonly string[];
  causes: Causes;
  examples: { request: ParameterExamples & { body?: object }; replies: ReplyExamples };
}

const settlementTexts = {
  card: 'Card-paying applications only.',
  partner: 'Partner-settled applications only.',
} as const;

const sessionTexts = {
  required: 'Takes the `Session-Capability` of the checkout.',
  joined: 'Takes the `Session-Capability` of the checkout where the body names one.',
} as const;

/** What of a row goes into words, beside its own description. */
const facts: ((row: OperationRow) => string | null | undefined)[] = [
  (row) => `**Scope** \`${row.scope}\`.`,
  (row) =>
    `**Quota** tier \`${row.tier}\`: ${defaultQuotas[row.tier]} calls a minute, unless something else was agreed.`,
  (row) => row.session && `**Session** ${sessionTexts[row.session]}`,
  (row) => row.settlement && `**Settlement** ${settlementTexts[row.settlement]}`,
  (row) =>
    row.creates &&
    `**Repeats** \`${row.creates}\` is yours to choose, so the same call can be sent again: same ID and same input answer with what exists and use no quota; same ID and other input is \`conflict\` with reason \`different_input\`. \`Idempotency-Key\` can stand in for it.`,
  (row) =>
    row.versioned &&
    '**Version** Name the version last read as `expectedVersion` or `If-Match`; a stale one is 412.',
  (row) => row.deprecatedSince && `**Deprecated** since ${row.deprecatedSince}.`,
];

const describe = ({ row, notes }: DescribedOperation): string =>
  [
    ...(row.description ? [row.description] : []),
    ...notes,
    facts
      .map((fact) => fact(row))
      .filter(Boolean)
      .map((fact) => `- ${fact}`)
      .join('\n'),
  ].join('\n\n');

function requestBody(
  { row, examples }: DescribedOperation,
  components: Components,
): RequestBodyObject | null {
  if (!row.body) return null;
  return {
    required: !isVersionAll(row),
    description: [
      `JSON in UTF-8, at most ${limits.bodyBytes} bytes. Unknown members are refused.`,
      ...(isVersionAll(row) ? ['Not needed beside `If-Match`.'] : []),
    ].join(' '),
    content: {
      'application/json': {
        schema: writeSchema(row.body, components),
        ...(examples.request.body && { example: examples.request.body }),
      },
    },
  };
}

/** Writes one operation. */
export function writeOperation(
  described: DescribedOperation,
  components: Components,
): OperationObject {
  const { id, row, causes, examples } = described;
  const parameters = writeParameters(row, examples.request, components);
  const body = requestBody(described, components);
  return {
    operationId: id,
    tags: [row.tag],
    summary: row.summary,
    description: describe(described),
    ...(row.deprecatedSince && { deprecated: true as const }),
    'x-required-scope': row.scope,
    'x-quota-tier': row.tier,
    ...(row.settlement && { 'x-settlement': row.settlement }),
    security: securityOf(row),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    responses: Object.fromEntries([
      ...writeReplies(row, examples.replies, components),
      ...writeRefusals(row, causes, components),
    ]),
  };
}

/** Writes operations under their paths, in their order. */
export function writePaths(
  described: readonly DescribedOperation[],
  components: Components,
): Record<string, PathItem> {
  const paths: Record<string, PathItem> = {};
  for (const one of described) {
    const item = (paths[one.row.path] ??= {});
    item[one.row.method.toLowerCase()] = writeOperation(one, components);
  }
  return paths;
}
