/** The committed documents, as a fuzzer reads them. */
import { committed, type CommittedDocument } from '../harness/document.ts';

/** A schema of the document, references followed. */
export interface Schema {
  type?: string;
  format?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
}

/** A parameter of the document. */
export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  schema: Schema;
}

/** An operation of the document. */
export interface Operation {
  operationId: string;
  method: string;
  path: string;
  parameters: Parameter[];
  mediaType: string | null;
  body: Schema | null;
  /** Whether it presents `Session-Capability`. */
  session: boolean;
}

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** Follows every reference in a node of a document. Requests do not refer to themselves. */
function followerIn(document: CommittedDocument) {
  const target = (reference: string): unknown =>
    reference
      .slice(2)
      .split('/')
      .reduce<unknown>((node, name) => (node as Json)[name], document);
  return function followed(node: unknown): unknown {
    if (Array.isArray(node)) return node.map(followed);
    if (!isObject(node)) return node;
    if (typeof node['$ref'] === 'string') return followed(target(node['$ref']));
    return Object.fromEntries(Object.entries(node).map(([name, inner]) => [name, followed(inner)]));
  };
}

function operationOf(
  followed: (node: unknown) => unknown,
  { path, method, described }: { path: string; method: string; described: Json },
): Operation {
  const { content = {} } = (followed(described['requestBody']) ?? {}) as {
    content?: Record<string, { schema: Schema }>;
  };
  const [mediaType = null] = Object.keys(content);
  const security = (described['security'] ?? []) as Json[];
  return {
    operationId: String(described['operationId']),
    method: method.toUpperCase(),
    path,
    parameters: (followed(described['parameters']) ?? []) as Parameter[],
    mediaType,
    body: mediaType === null ? null : content[mediaType]!.schema,
    session: security.some((schemes) => 'SessionCapability' in schemes),
  };
}

/** Every operation of a document. */
function operationsOf(document: CommittedDocument): Operation[] {
  const followed = followerIn(document);
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) =>
      operationOf(followed, { path, method, described }),
    ),
  );
}

/** Those of partners, the token endpoint included. */
export const partnerOperations = operationsOf(committed('openapi.json'));

/** Those of the operator. */
export const operatorOperations = operationsOf(committed('operator-openapi.json'));
