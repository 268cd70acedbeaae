import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { readFileSync } from 'node:fs';
import { recordError } from './provoked.ts';

type Json = Record<string, unknown>;

/** A committed OpenAPI document, as a client reads it. */
export interface CommittedDocument {
  paths: Record<string, Record<string, Json>>;
  components: Json;
}

/** A committed OpenAPI document. */
export const committed = (file: string): CommittedDocument =>
  JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')) as CommittedDocument;

/** Whether a variant accepts what nobody knows yet: any text beside an enum, or what has no code or type of today. */
const isForTheUnknown = (schema: Json, variants: readonly Json[]): boolean =>
  (schema['type'] === 'string' && !schema['enum'] && variants.some((one) => one['enum'])) ||
  /\/Other(Error|Event)$/.test(String(schema['$ref']));

/**
 * The document leaves objects and values open, because responses may gain members and values within a wire
 * version. Here they are closed, so that each member and value of today's responses must be in the document.
 */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const { anyOf } = value as Json;
  const variants = Array.isArray(anyOf)
    ? { anyOf: anyOf.filter((one: Json) => !isForTheUnknown(one, anyOf as Json[])) }
    : {};
  const copy = Object.fromEntries(
    Object.entries({ ...value, ...variants }).map(([name, inner]) => [name, closed(inner)]),
  );
  const isOpenObject = copy['type'] === 'object' && copy['properties'] !== undefined;
  return isOpenObject && copy['additionalProperties'] === undefined
    ? { ...copy, additionalProperties: false }
    : copy;
}

const escaped = (text: string): string => text.replaceAll('~', '~0').replaceAll('/', '~1');

interface Documented {
  path: string;
  method: string;
  responses: Record<string, Json>;
}

type Examples = Record<string, { value: { error: { code?: string } } }>;

/**
 * The envelope allows every code; an error response has an example of each code that it can have. Allows anything
 * at the token endpoint, where `error` is a text.
 */
function onlyCodesOf(examples: Examples) {
  const codes = Object.values(examples).map(({ value }) => String(value.error.code));
  return { properties: { error: { properties: { code: { enum: codes } } } } };
}

/** Throws unless the response conforms to the document. */
export type DocumentCheck = (operationId: string, status: number, body: unknown) => void;

/**
 * Makes the check of a document.
 *
 * @param shape what responses conform to; absent: the document to the last member
 */
export function checkOf(checked: CommittedDocument, shape = closed(checked)): DocumentCheck {
  // Most validators run a few times only, so quick to compile is better than quick to run. `validateSchema`
  // would compile the metaschema, and check only the root of the document, which is no schema.
  const quickly = { inlineRefs: false, validateSchema: false, code: { optimize: false } };
  const ajv = new Ajv2020({ strict: false, allErrors: true, ...quickly });
  addFormats.default(ajv);
  ajv.addSchema({ ...(shape as Json), $id: 'latchkey' });
  const validators = new Map<string, ValidateFunction>();

  function resolved(node: Json): { node: Json; path: string | null } {
    const reference = node['$ref'];
    if (typeof reference !== 'string') return { node, path: null };
    const target = reference
      .slice(2)
      .split('/')
      .reduce<Json>((inner, name) => inner[name] as Json, checked as unknown as Json);
    return { node: target, path: reference.slice(1) };
  }

  function operationOf(operationId: string): Documented {
    for (const [path, methods] of Object.entries(checked.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        if (operation['operationId'] !== operationId) continue;
        return { path, method, responses: operation['responses'] as Record<string, Json> };
      }
    }
    throw new Error(`${operationId} is not in the document`);
  }

  function validatorOf(operationId: string, status: number): ValidateFunction | null {
    const key = `${operationId} ${status}`;
    const known = validators.get(key);
    if (known) return known;
    const { path, method, responses } = operationOf(operationId);
    const response = responses[status];
    if (!response) throw new Error(`the document has no ${status} for ${operationId}`);
    const { node, path: shared } = resolved(response);
    const content = node['content'] as Record<string, { examples?: Examples }> | undefined;
    if (!content) return null;
    const base = shared ?? `/paths/${escaped(path)}/${method}/responses/${status}`;
    const [[type, { examples = {} }] = ['', {}]] = Object.entries(content);
    const reference = `latchkey#${base}/content/${escaped(type)}/schema`;
    const validator = ajv.compile({
      $ref: encodeURI(reference).replaceAll('%25', '%'),
      ...(status >= 400 && onlyCodesOf(examples)),
    });
    validators.set(key, validator);
    return validator;
  }

  return (operationId, status, body) => {
    recordError(operationId, body);
    const validator = validatorOf(operationId, status);
    if (!validator || validator(body)) return;
    throw new Error(
      `${operationId} ${status} is not what the document says: ${ajv.errorsText(validator.errors)}\n${JSON.stringify(body, null, 1)}`,
    );
  };
}

/** The check of a committed document, which is read for the first response. Most processes need only one of them. */
function checkOfFile(file: string): DocumentCheck {
  let check: DocumentCheck | undefined;
  return (...response) => (check ??= checkOf(committed(file)))(...response);
}

/** Checks the response to a partner's call. */
export const checkAgainstDocument = checkOfFile('openapi.json');

/** Checks a response of the portal. */
export const checkAgainstPortalDocument = checkOfFile('portal-openapi.json');

/** Checks a response of the operator's API. */
export const checkAgainstOperatorDocument = checkOfFile('operator-openapi.json');

/** Checks a response of the sandbox. */
export const checkAgainstSandboxDocument = checkOfFile('sandbox-openapi.json');
