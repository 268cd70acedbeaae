/** What the documents of our own surfaces share: the operator's API, the portal and the sandbox. */
import type { TSchema } from 'typebox';
import type { Row } from '../rows.ts';
import { wireVersion } from '../wire.ts';
import { createComponents } from './components.ts';
import type { OpenApiDocument } from './document.ts';
import type { DescribedOperation, DocumentStyle } from './document-style.ts';
import { servers } from './environments.ts';
import { writePaths } from './paths.ts';

/** The style of all of them, as far as they share it. */
export const ownStyle = {
  extensions: () => ({}),
  bodyText: 'JSON in UTF-8. Unknown members are refused.',
  replyHeaders: () => ['x-request-id', 'Cache-Control'],
  refusalHeaders: (status) =>
    status === 401 ? ['x-request-id', 'WWW-Authenticate'] : ['x-request-id'],
  exampleDetails: {},
} as const satisfies Partial<DocumentStyle<Row>>;

/** The text of a response: that of its status, or that of its schema. */
export const replyTextBy =
  (texts: Readonly<Record<number, string>>) =>
  (_row: Row, status: number, schema: TSchema | null): string =>
    texts[status] ?? (schema && 'description' in schema ? `${schema.description}` : 'Done.');

/** An operation that its row describes alone. */
export const describedByRow = <R extends Row>(
  id: string,
  row: R,
  examples: DescribedOperation['examples'] = { request: {}, replies: {} },
): DescribedOperation<R> => ({ id, row, notes: [], causes: {}, examples });

/** What a document says of its surface. */
type About = Pick<OpenApiDocument['info'], 'title' | 'summary' | 'description'> &
  Pick<OpenApiDocument, 'tags' | 'security'> &
  Pick<OpenApiDocument['components'], 'securitySchemes'>;

/** Writes the document of a surface without webhooks. */
export function writeDocument<R extends Row>(
  { title, summary, description, tags, security, securitySchemes }: About,
  style: DocumentStyle<R>,
  described: readonly DescribedOperation<R>[],
): Omit<OpenApiDocument, 'webhooks'> {
  const components = createComponents();
  const paths = writePaths(style, described, components);
  return {
    openapi: '3.1.0',
    info: {
      title,
      version: wireVersion,
      summary,
      description,
      license: { name: 'All rights reserved', identifier: 'LicenseRef-Latchkey' },
    },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    servers,
    tags,
    security,
    paths,
    components: { ...components.shared(), securitySchemes },
  };
}
