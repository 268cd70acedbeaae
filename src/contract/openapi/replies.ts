import type { TSchema } from 'typebox';
import { deprecationOf } from '../deprecation.ts';
import type { OperationRow } from '../operations.ts';
import type { Components } from './components.ts';
import type { ResponseObject } from './document.ts';
import { authenticatedHeaders, isNeverStored, writeHeaders, type ReplyHeader } from './headers.ts';
import { writeSchema } from './schemas.ts';

/** An example of each answer, by status. */
export type ReplyExamples = Readonly<Record<number, object>>;

/** Headers of an answer that is not an error, and when it carries them. */
const carried: { header: ReplyHeader; when: (row: OperationRow, status: number) => boolean }[] = [
  { header: 'ETag', when: (row, status) => row.etag !== undefined && status !== 202 },
  { header: 'Location', when: (_row, status) => status === 202 },
  { header: 'Retry-After', when: (_row, status) => status === 202 },
  { header: 'Cache-Control', when: (row) => isNeverStored(row) },
  { header: 'Deprecation', when: (row) => deprecationOf(row) !== null },
];

const headersOf = (row: OperationRow, status: number, components: Components) =>
  writeHeaders(
    [
      ...authenticatedHeaders,
      ...carried.filter(({ when }) => when(row, status)).map(({ header }) => header),
    ],
    components,
  );

function describe(row: OperationRow, status: number, schema: TSchema): string {
  if (row.creates !== undefined && status === 200) {
    return 'The same create was sent before: the resource as it is now. This uses no quota.';
  }
  if (status === 201) return 'Made.';
  if (status === 202) return 'Accepted, not done: read what `Location` names.';
  return 'description' in schema ? `${schema.description}` : 'Done.';
}

function writeReply(
  row: OperationRow,
  status: number,
  schema: TSchema,
  example: object | undefined,
  components: Components,
): ResponseObject {
  return {
    description: describe(row, status, schema),
    headers: headersOf(row, status, components),
    content: {
      'application/json': {
        schema: writeSchema(schema, components),
        ...(example && { example }),
      },
    },
  };
}

function notModified(row: OperationRow, components: Components): [string, ResponseObject][] {
  if (row.etag !== 'revalidate') return [];
  const description = 'The content is still that of `If-None-Match`. No body.';
  return [['304', { description, headers: headersOf(row, 304, components) }]];
}

/** Every answer of an operation that is not an error, by status. */
export function writeReplies(
  row: OperationRow,
  examples: ReplyExamples,
  components: Components,
): [string, ResponseObject][] {
  const replies = Object.entries(row.reply).map(([status, schema]): [string, ResponseObject] => [
    status,
    writeReply(row, Number(status), schema, examples[Number(status)], components),
  ]);
  return [...replies, ...notModified(row, components)];
}
