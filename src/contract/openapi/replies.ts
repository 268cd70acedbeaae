import type { TObject, TSchema } from 'typebox';
import * as Type from '../type.ts';
import type { Row } from '../rows.ts';
import type { Components } from './components.ts';
import type { ResponseObject } from './document.ts';
import { writeHeaders } from './headers.ts';
import { writeSchema } from './schemas.ts';
import type { ReplyExamples, DocumentStyle } from './document-style.ts';

function writeReply<R extends Row>(
  style: DocumentStyle<R>,
  row: R,
  [status, schema]: [number, TSchema | null],
  example: object | string | null | undefined,
  components: Components,
): ResponseObject {
  const description = style.replyText(row, status, schema);
  const headers = writeHeaders(style.replyHeaders(row, status), components);
  if (schema === null) return { description, headers };
  const content = { schema: writeSchema(schema, components), ...(example && { example }) };
  return { description, headers, content: { [row.replyType ?? 'application/json']: content } };
}

function notModified<R extends Row>(
  style: DocumentStyle<R>,
  row: R,
  components: Components,
): [string, ResponseObject][] {
  if (row.etag !== 'revalidate') return [];
  const description = 'The content has not changed since `If-None-Match`. No body.';
  return [
    ['304', { description, headers: writeHeaders(style.replyHeaders(row, 304), components) }],
  ];
}

/** What a repeat with the same `Idempotency-Key` gets: what was created, without secrets. */
function repeated<R extends Row>(
  style: DocumentStyle<R>,
  row: R,
  components: Components,
): [string, ResponseObject][] {
  const { repeatHides: hides, reply } = row;
  const created = reply[201] as TObject | undefined;
  if (hides === undefined || !created) return [];
  const { $id, description } = created as { $id?: string; description?: string };
  const shown = { $id: `${$id}Again`, ...(description !== undefined && { description }) };
  const schema = hides.length === 0 ? created : Type.Omit(created, [...hides], shown);
  const [status, response] = [
    '200',
    writeReply(style, row, [200, schema], undefined, components),
  ] as const;
  const text = 'The key was used before: what was created then.';
  return [[status, { ...response, description: text }]];
}

/** Every successful response of an operation, by status. */
export function writeReplies<R extends Row>(
  style: DocumentStyle<R>,
  row: R,
  examples: ReplyExamples,
  components: Components,
): [string, ResponseObject][] {
  const replies = Object.entries(row.reply).map(([text, schema]): [string, ResponseObject] => {
    const status = Number(text);
    return [text, writeReply(style, row, [status, schema], examples[status], components)];
  });
  return [...repeated(style, row, components), ...replies, ...notModified(style, row, components)];
}
