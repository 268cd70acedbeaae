/** Prints the schemas of the contract for the partner's tools: what each operation takes and returns, as JSON Schema. */
import { operations, type OperationRow } from '../partner/operations.ts';

type Schema = Readonly<Record<string, unknown>>;

interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Schema;
}

type Content = Readonly<Record<string, { schema: Schema }>>;

interface DocumentOperation {
  parameters?: readonly Parameter[];
  requestBody?: { content: Content };
  responses: Readonly<Record<string, { content?: Content }>>;
}

interface DocumentSections {
  paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  components: {
    schemas: Readonly<Record<string, Schema>>;
    parameters: Readonly<Record<string, Parameter>>;
  };
}

const json = 'application/json';
const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);

function parametersSchema(
  { parameters = [] }: DocumentOperation,
  { components }: DocumentSections,
): Schema | undefined {
  const found = parameters
    .map((each) => (each.$ref === undefined ? each : components.parameters[nameOf(each.$ref)]!))
    .filter((each) => each.in === 'path' || each.in === 'query');
  if (found.length === 0) return undefined;
  const properties = found.map(({ name, schema, description }) => [
    name,
    { ...schema, ...(description !== undefined && { description }) },
  ]);
  return {
    type: 'object',
    required: found.filter((each) => each.required).map(({ name }) => name),
    properties: Object.fromEntries(properties) as Schema,
    additionalProperties: false,
  };
}

function replySchema({ responses }: DocumentOperation): Schema | undefined {
  const success = Object.entries(responses).find(
    ([status, { content }]) => status.startsWith('2') && content?.[json],
  );
  return success?.[1].content?.[json]?.schema;
}

function rowText([id, { path, method }]: [string, OperationRow], parts: DocumentSections): string {
  const operation = parts.paths[path]![method.toLowerCase()] as DocumentOperation;
  const body = operation.requestBody?.content[json]?.schema;
  const schemas = {
    parameters: parametersSchema(operation, parts),
    body,
    reply: replySchema(operation),
  };
  return `  '${id}': ${JSON.stringify(schemas)},\n`;
}

/** The schemas of each operation, and those that they name. */
export function clientSchemas(document: unknown): string {
  const parts = document as DocumentSections;
  const rows = Object.entries(operations) as [string, OperationRow][];
  const named = Object.entries(parts.components.schemas).map(
    ([name, schema]) => `  ${name}: ${JSON.stringify(schema)},\n`,
  );
  return `// Generated from the operation table by \`npm run generate\`.
/** A schema of the contract, as JSON Schema. */
export type ContractSchema = Readonly<Record<string, unknown>>;

/** What an operation takes in path and query, what it takes in its body, and what it returns. */
export interface OperationSchemas {
  parameters?: ContractSchema;
  body?: ContractSchema;
  reply?: ContractSchema;
}

/** The schemas of each operation. */
export const operationSchemas: Readonly<Record<string, OperationSchemas>> = {
${rows.map((row) => rowText(row, parts)).join('')}};

/** The schemas that others name as \`#/components/schemas/…\`. */
export const namedSchemas: Readonly<Record<string, ContractSchema>> = {
${named.join('')}};
`;
}
