import type { TObject } from 'typebox';
import type { InvalidField } from '../contract/errors.ts';
import { limits } from '../contract/limits.ts';
import { isVersionAll, type RowInput } from '../contract/rows.ts';
import { consumers } from '../contract/wire.ts';
import { tagsIn } from '../platform/etag.ts';
import { escaped, schemaCheck, type SchemaCheck } from '../platform/schema-check.ts';
import { unstorableTexts } from './body.ts';
import { parseQuery } from './query.ts';

const mostFields = 100;

/** A request before validation. */
export interface RawInput {
  params: Record<string, string>;
  queryText: string;
  headers: Record<string, string | string[] | undefined>;
  body: unknown;
  /** The path was not decodable. */
  malformedPath: boolean;
}

/** A request after validation, IDs in lower case. */
export interface ValidInput {
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  body: Record<string, unknown>;
  bytes: Buffer;
  /** Only for commands. */
  expectedVersion: number | undefined;
  idempotencyKey: string | undefined;
  knownTags: readonly string[];
  consumer: string | undefined;
}

/** Returns either every invalid field or the validated input. */
export type InputCheck = (raw: RawInput) => { fields: InvalidField[] } | { input: ValidInput };

/** Keeps the first message per path. */
function firstPerPath(fields: readonly InvalidField[]): InvalidField[] {
  const byPath = new Map<string, InvalidField>();
  for (const field of fields) if (!byPath.has(field.path)) byPath.set(field.path, field);
  return [...byPath.values()].slice(0, mostFields);
}

const noFields: readonly InvalidField[] = Object.freeze([]);

/** What is wrong with a value and its strings. */
function check(
  problemsOf: SchemaCheck | undefined,
  value: unknown,
  place: string,
): readonly InvalidField[] {
  const problems = problemsOf?.(value) ?? [];
  const texts = unstorableTexts(value, place);
  if (problems.length === 0) return texts;
  const fields = problems.map(({ pointer, message }) => ({ path: `${place}${pointer}`, message }));
  return [...fields, ...texts];
}

const noMembers: Record<string, unknown> = Object.freeze({});
const noBytes = Buffer.alloc(0);

/** The ID members of an object schema: upper case is accepted and converted to lower case. */
function idMembers(schema: TObject | undefined): string[] {
  return Object.entries(schema?.properties ?? {})
    .filter(([, member]) => (member as { format?: string }).format === 'uuid')
    .map(([name]) => name);
}

const capitals = /[A-Z]/;

const hasCapitals = (value: unknown): value is string =>
  typeof value === 'string' && capitals.test(value);

function lowerCased(value: Record<string, unknown>, members: string[]): Record<string, unknown> {
  const capitalized = members.filter((name) => hasCapitals(value[name]));
  if (capitalized.length === 0) return value;
  const lower = capitalized.map((name) => [name, String(value[name]).toLowerCase()]);
  return { ...value, ...Object.fromEntries(lower) };
}

const integerText = /^-?\d{1,15}$/;

const truths = new Map([
  ['true', true],
  ['false', false],
]);

/** Reads a parameter as the type of its schema; a text that is not of this type stays, to be refused. */
const valueReaders: Readonly<Record<string, (text: string) => unknown>> = {
  integer: (text) => (integerText.test(text) ? Number(text) : text),
  boolean: (text) => truths.get(text) ?? text,
};

/** Converts the strings of parameters to the types of their schemas. */
function typed(query: Record<string, string>, schema: TObject): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(query).map(([name, text]) => {
      const member = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
      const type = (member as { type?: string } | undefined)?.type ?? '';
      return [name, valueReaders[type]?.(text) ?? text];
    }),
  );
}

const withoutEmpty = (query: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(query).filter(([, text]) => text !== ''));

const one = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header.join(', ') : header;

interface VersionCheck {
  fields: readonly InvalidField[];
  version: number | undefined;
}

const notEmpty: readonly InvalidField[] = [{ path: '', message: 'must be empty' }];

const noVersion: VersionCheck = { fields: noFields, version: undefined };

const strongTag = /^"([1-9]\d{0,9})"$/;

const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' ? value : undefined;

const versionMessage = 'must be one strong entity tag with the version, as "3"';

/** The version of a row without a body, which only the header can name. */
function versionInHeader(header: string | undefined): VersionCheck {
  const path = 'header/if-match';
  if (header === undefined)
    return { fields: [{ path, message: 'is required' }], version: undefined };
  const version = Number(strongTag.exec(header)?.[1]);
  if (version <= limits.maxVersion) return { fields: [], version };
  return { fields: [{ path, message: versionMessage }], version: undefined };
}

/** Spec: CALL-8. */
function versionOf(header: string | undefined, body: unknown): VersionCheck {
  const named = (body as { expectedVersion?: unknown } | null)?.expectedVersion;
  if (header === undefined) {
    // The body's schema checks that it is an integer.
    if (named !== undefined) return { fields: [], version: numberOf(named) };
    const message = 'is required, or If-Match';
    return { fields: [{ path: '/expectedVersion', message }], version: undefined };
  }
  const path = 'header/if-match';
  const { fields, version } = versionInHeader(header);
  if (version === undefined) return { fields, version };
  if (named !== undefined && named !== version) {
    return { fields: [{ path, message: 'differs from expectedVersion' }], version: undefined };
  }
  return { fields: [], version };
}

const visibleAscii = /^[\x21-\x7e]+$/;

function keyFields(key: string | undefined, idGiven: boolean, member = ''): InvalidField[] {
  if (key === undefined) {
    return idGiven ? [] : [{ path: `/${member}`, message: 'is required, or Idempotency-Key' }];
  }
  if (visibleAscii.test(key) && key.length <= limits.idempotencyKeyLength) return [];
  const message = `must be 1 to ${limits.idempotencyKeyLength} visible ASCII characters`;
  return [{ path: 'header/idempotency-key', message }];
}

function consumerFields(consumer: string | undefined): InvalidField[] {
  if (consumer === undefined || (consumers as readonly string[]).includes(consumer)) return [];
  const message = `must be one of ${consumers.join(', ')}`;
  return [{ path: 'header/x-booking-consumer', message }];
}

interface QueryInput {
  query: Record<string, unknown>;
  fields: readonly InvalidField[];
}

const noQuery: QueryInput = { query: noMembers, fields: noFields };

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Creates the validation of an operation from its row. Spec: CALL-3. */
export function inputCheck(row: RowInput): InputCheck {
  const checks = {
    params: row.params && schemaCheck(row.params),
    query: row.query && schemaCheck(row.query),
    body: row.body && schemaCheck(row.body),
  };
  const ids = {
    params: idMembers(row.params),
    query: idMembers(row.query),
    body: idMembers(row.body),
  };

  const versionIsAll = isVersionAll(row);

  const versionCheck = (header: string | undefined, body: unknown): VersionCheck => {
    if (!row.versioned) return noVersion;
    return row.body ? versionOf(header, body) : versionInHeader(header);
  };

  const bodyFields = (raw: RawInput, body: unknown): readonly InvalidField[] => {
    if (checks.body) return check(checks.body, body, '');
    // A version in a body that nobody reads would be ignored.
    return row.versioned && raw.body !== undefined ? notEmpty : noFields;
  };

  /** With `If-Match`, a command without other members needs no body. */
  const bodyOf = ({ body, headers }: RawInput): unknown =>
    versionIsAll && body === undefined && headers['if-match'] !== undefined ? noMembers : body;

  const pathFields = ({ malformedPath, params }: RawInput): readonly InvalidField[] =>
    malformedPath
      ? [{ path: 'path', message: 'is not percent-encoded UTF-8' }]
      : check(checks.params, params, 'path');

  function queryInput(raw: RawInput): QueryInput {
    if (raw.queryText === '' && !row.query) return noQuery;
    const { values, fields } = parseQuery(raw.queryText);
    if (!row.query || !checks.query) {
      const unknown = Object.keys(values).map((name) => ({
        path: `query/${escaped(name)}`,
        message: 'is not known here',
      }));
      return { query: noMembers, fields: [...fields, ...unknown] };
    }
    const query = typed(row.emptyQueryAllowed ? withoutEmpty(values) : values, row.query);
    return { query, fields: [...fields, ...check(checks.query, query, 'query')] };
  }

  return (raw) => {
    const { query, fields: queryFields } = queryInput(raw);
    const body = checks.body ? bodyOf(raw) : noMembers;
    const takesKey = row.creates !== undefined || row.repeatHides !== undefined;
    const idempotencyKey = takesKey ? one(raw.headers['idempotency-key']) : undefined;
    const consumer = row.provenance ? one(raw.headers['x-booking-consumer']) : undefined;
    const version = versionCheck(one(raw.headers['if-match']), body);
    const idGiven = row.creates === undefined || (isObject(body) && row.creates in body);
    const wrong = [
      pathFields(raw),
      queryFields,
      bodyFields(raw, body),
      version.fields,
      takesKey ? keyFields(idempotencyKey, idGiven, row.creates) : noFields,
      consumerFields(consumer),
    ].filter((fields) => fields.length > 0);
    if (wrong.length > 0) return { fields: firstPerPath(wrong.flat()) };
    return {
      input: {
        params: lowerCased(raw.params, ids.params),
        query: lowerCased(query, ids.query),
        body: lowerCased(isObject(body) ? body : noMembers, ids.body),
        bytes: Buffer.isBuffer(raw.body) ? raw.body : noBytes,
        expectedVersion: version.version,
        idempotencyKey,
        knownTags: tagsIn(
          row.etag === 'revalidate' ? one(raw.headers['if-none-match']) : undefined,
        ),
        consumer,
      },
    };
  };
}
