/** Prints the contract as TypeScript: the types and the table of operations of the partner's client. */
import { isVersionAll } from '../rows.ts';
import { operations, type OperationRow } from '../partner/operations.ts';
import type { JsonObject } from './document.ts';

interface Schema {
  $ref?: string;
  type?: string;
  enum?: readonly unknown[];
  const?: unknown;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: boolean | Schema;
  description?: string;
}

const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);

const literal = (value: unknown): string => JSON.stringify(value).replaceAll('"', "'");

const comment = (text: string | undefined, indent: string): string =>
  text === undefined ? '' : `${indent}/** ${text.replaceAll('*/', '* /')} */\n`;

/** An open list of values: those of today, and any other text. */
function openValues(branches: readonly Schema[]): string | null {
  const [known, other, ...more] = branches;
  if (more.length > 0 || !known?.enum || other?.type !== 'string') return null;
  return `${known.enum.map(literal).join(' | ')} | (string & {})`;
}

function unionOf(branches: readonly Schema[], indent: string): string {
  // A type that stands for what does not exist yet would hide the others from a program that compares `code` or `type`.
  const known = branches.filter(({ $ref }) => !$ref || !nameOf($ref).startsWith('Other'));
  return known.map((branch) => typeOf(branch, indent)).join(' | ');
}

function objectOf({ properties = {}, required = [] }: Schema, indent: string): string {
  const inner = `${indent}  `;
  const members = Object.entries(properties).map(
    ([name, schema]) =>
      `${comment(schema.description, inner)}${inner}${/^\w+$/.test(name) ? name : literal(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema, inner)};\n`,
  );
  return `{\n${members.join('')}${indent}}`;
}

const primitives: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

/** The TypeScript type of a schema. */
function typeOf(schema: Schema, indent = ''): string {
  const { $ref, anyOf, oneOf, type = '', items = {}, additionalProperties } = schema;
  if ($ref !== undefined) return nameOf($ref);
  const branches = anyOf ?? oneOf;
  if (branches) return openValues(branches) ?? unionOf(branches, indent);
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return schema.enum.map(literal).join(' | ');
  if (type === 'array') return `readonly (${typeOf(items, indent)})[]`;
  if (type === 'object' && typeof additionalProperties === 'object') {
    return `Readonly<Record<string, ${typeOf(additionalProperties, indent)}>>`;
  }
  if (type === 'object') return objectOf(schema, indent);
  return primitives[type] ?? 'unknown';
}

const declaration = ([name, schema]: [string, Schema]): string =>
  `${comment(schema.description, '')}export type ${name} = ${typeOf(schema)};\n`;

/** How a call may be repeated: by nothing at all, by the ID that it carries, or by the version that it expects. */
function repeatOf({ creates, versioned }: OperationRow): 'read' | 'create' | 'command' {
  if (creates !== undefined) return 'create';
  return versioned ? 'command' : 'read';
}

const rowText = ([id, row]: [string, OperationRow]): string => {
  const members = {
    method: row.method,
    path: row.path,
    repeat: repeatOf(row),
    ...(row.creates !== undefined && { creates: row.creates }),
    ...(row.session !== undefined && { session: row.session }),
    ...(row.provenance && { provenance: true }),
    ...(row.reserves && { reserves: true }),
  };
  const text = Object.entries(members).map(([name, value]) => `${name}: ${literal(value)}`);
  return `  '${id}': { ${text.join(', ')} },\n`;
};

interface DocumentSections {
  paths: Readonly<Record<string, Readonly<Record<string, JsonObject>>>>;
  components: {
    schemas: Readonly<Record<string, Schema>>;
    parameters: Readonly<Record<string, Parameter>>;
  };
}

interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Schema;
}

interface DocumentOperation {
  parameters?: readonly Parameter[];
  requestBody?: { content: Readonly<Record<string, { schema: Schema }>> };
  responses: Readonly<Record<string, { content?: Readonly<Record<string, { schema: Schema }>> }>>;
}

function parametersText(
  { parameters = [] }: DocumentOperation,
  place: string,
  { components }: DocumentSections,
): string {
  const found = parameters
    .map((each) => (each.$ref === undefined ? each : components.parameters[nameOf(each.$ref)]!))
    .filter((each) => each.in === place);
  const properties = Object.fromEntries(
    found.map(({ name, schema, description }) => [
      name,
      { ...schema, ...(description !== undefined && { description }) },
    ]),
  );
  const required = found.filter((each) => each.required).map(({ name }) => name);
  return found.length === 0 ? 'Record<never, never>' : objectOf({ properties, required }, '    ');
}

const json = 'application/json';

function replyText({ responses }: DocumentOperation): string {
  const bodies = Object.entries(responses).flatMap(([status, { content }]) =>
    status.startsWith('2') && content?.[json] ? [typeOf(content[json].schema, '    ')] : [],
  );
  return [...new Set(bodies)].join(' | ') || 'null';
}

function inputText([id, row]: [string, OperationRow], document: DocumentSections): string {
  const operation = document.paths[row.path]![
    row.method.toLowerCase()
  ] as unknown as DocumentOperation;
  const body = operation.requestBody?.content[json];
  const isOptional = isVersionAll(row);
  return `  '${id}': {
    params: ${parametersText(operation, 'path', document)};
    query: ${parametersText(operation, 'query', document)};
    body: ${body ? `${typeOf(body.schema, '    ')}${isOptional ? ' | undefined' : ''}` : 'undefined'};
    reply: ${replyText(operation)};
  };
`;
}

const head = '// Generated from the operation table by `npm run generate`.\n';

/** The types of the contract, and the input and reply of each operation. */
export function clientTypes(document: unknown): string {
  const parts = document as DocumentSections;
  const rows = Object.entries(operations) as [string, OperationRow][];
  const inputs = rows.map((row) => inputText(row, parts)).join('');
  const schemas = Object.entries(parts.components.schemas).map(declaration).join('\n');
  return `${head}/** The input and the reply of each operation. */\nexport interface Operations {\n${inputs}}\n\n${schemas}`;
}

/** What the client has to know of each operation: the rows of the operation table, as far as a caller needs them. */
export function clientTable(wireVersion: string): string {
  const rows = (Object.entries(operations) as [string, OperationRow][]).map(rowText).join('');
  return `${head}/** The version of the contract that this client was made for. */
export const wireVersion = '${wireVersion}';

/** How each operation is called, and how it may be repeated. */
export const operations = {\n${rows}} as const;\n`;
}
