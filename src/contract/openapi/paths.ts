import { isVersionAll, type Row } from '../rows.ts';
import type { Components } from './components.ts';
import type { OperationObject, PathItem, RequestBodyObject } from './document.ts';
import { writeParameters } from './parameters.ts';
import { writeRefusals } from './refusals.ts';
import { writeReplies } from './replies.ts';
import { writeSchema } from './schemas.ts';
import type { DescribedOperation, DocumentStyle } from './document-style.ts';

function requestBody<R extends Row>(
  style: DocumentStyle<R>,
  { row, examples }: DescribedOperation<R>,
  components: Components,
): RequestBodyObject | null {
  if (row.bytes) {
    const description = `Bytes, at most ${row.bodyBytes}.`;
    return { required: true, description, content: { 'application/octet-stream': { schema: {} } } };
  }
  if (!row.body) return null;
  return {
    required: !isVersionAll(row),
    description: isVersionAll(row)
      ? `${style.bodyText} Not needed with \`If-Match\`.`
      : style.bodyText,
    content: {
      'application/json': {
        schema: writeSchema(row.body, components),
        ...(examples.request.body && { example: examples.request.body }),
      },
    },
  };
}

/** Writes one operation of any surface. */
export function writeRow<R extends Row>(
  style: DocumentStyle<R>,
  described: DescribedOperation<R>,
  components: Components,
): OperationObject {
  const { id, row, causes, examples } = described;
  const parameters = writeParameters(row, examples.request, components);
  const body = requestBody(style, described, components);
  return {
    operationId: id,
    tags: [row.tag],
    summary: row.summary,
    description: style.describe(described),
    ...(row.deprecatedSince && { deprecated: true as const }),
    ...style.extensions(row),
    security: style.security(row),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    responses: Object.fromEntries([
      ...writeReplies(style, row, examples.replies, components),
      ...writeRefusals(style, row, causes, components),
    ]),
  };
}

/** Writes the operations of a surface by path, in table order. */
export function writePaths<R extends Row>(
  style: DocumentStyle<R>,
  described: readonly DescribedOperation<R>[],
  components: Components,
): Record<string, PathItem> {
  const paths: Record<string, PathItem> = {};
  for (const one of described) {
    const item = (paths[one.row.path] ??= {});
    item[one.row.method.toLowerCase()] = writeRow(style, one, components);
  }
  return paths;
}
