import type { TSchema } from 'typebox';
import type { TLocalizedValidationError } from 'typebox/error';
// Not from `typebox/compile`, which loads 180 more files.
import { Compile, type Validator } from 'typebox/schema';
import { Settings } from 'typebox/system';
import { meaning } from './nearest-name.ts';
import { patterns } from '../contract/patterns.ts';

/** Something wrong at a place of a document. */
export interface Problem {
  /** JSON Pointer (RFC 6901). */
  pointer: string;
  message: string;
}

/** All that is wrong with a value, one problem for each place. */
export type SchemaCheck = (value: unknown) => Problem[];

/** A schema, as far as it names members. */
interface NamingSchema {
  properties?: Record<string, NamingSchema>;
  items?: NamingSchema;
  anyOf?: NamingSchema[];
}

const branchesOf = (schema: NamingSchema): NamingSchema[] =>
  schema.anyOf ? schema.anyOf.flatMap(branchesOf) : [schema];

/** The members that a schema knows in the object at a place. */
function knownMembers(schema: NamingSchema, pointer: string): string[] {
  let found = branchesOf(schema);
  for (const part of pointer.split('/').slice(1)) {
    found = found.flatMap(({ properties, items }) => {
      const inner = properties?.[part] ?? items;
      return inner ? branchesOf(inner) : [];
    });
  }
  return [...new Set(found.flatMap(({ properties = {} }) => Object.keys(properties)))];
}

/** The known member that is meant by an unknown one, as the end of a message. */
function suggestion(schema: TSchema, pointer: string, synonyms: Synonyms): string {
  const [name = '', ...parents] = pointer.split('/').toReversed();
  const known = knownMembers(schema as NamingSchema, parents.toReversed().join('/'));
  return meaning(name, known, synonyms);
}

/** Known members by what people write in their place, in lower case without other characters. */
export type Synonyms = Readonly<Record<string, string>>;

// No schema knows as many members, so an object with more is refused as a whole.
const mostMembers = 200;

// The library stops at eight otherwise. Each unknown member counts twice, and the line that names them comes
// last: room for several objects, so that it is not cut off. More than a caller reads is not looked for.
const mostFailures = 5 * mostMembers;
Settings.Set({ maxErrors: mostFailures });

type Failure = TLocalizedValidationError;

/** A member's name as a part of a JSON Pointer. */
export const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

const patternMessages: ReadonlyMap<string, string> = new Map(
  Object.values(patterns).map(({ pattern, message }) => [pattern, message]),
);

const formatMessages: Readonly<Record<string, string>> = {
  uuid: 'must be a UUID',
  date: patterns.date.message,
  'date-time': patterns.instant.message,
  email: 'must be an email address',
  uri: 'must be a URL',
};

const ofMembers =
  (param: string, message: string) =>
  ({ instancePath, params }: Failure): Problem[] =>
    (params as unknown as Record<string, string[]>)[param]!.map((name) => ({
      pointer: `${instancePath}/${escaped(name)}`,
      message,
    }));

const ofPlace =
  (messageOf: (params: Record<string, unknown>, message: string) => string) =>
  ({ instancePath: pointer, params, message }: Failure): Problem[] => [
    { pointer, message: messageOf(params as Record<string, unknown>, message) },
  ];

const none = (): Problem[] => [];

const withArticle = (message: string): string =>
  message.replace(/^must be (?=[aeiou])/, 'must be an ').replace(/^must be (?!an )/, 'must be a ');

/** The message for a body or query with something unknown. Spec: CALL-2. */
const unknownMember = 'is not known here';

/** How a failure reads, by its keyword; the message of the library says the rest. */
const problemsOf: Readonly<Record<string, (failure: Failure) => Problem[]>> = {
  required: ofMembers('requiredProperties', 'is required'),
  additionalProperties: ofMembers('additionalProperties', unknownMember),
  // The same members again, one by one.
  boolean: none,
  // Its branches say what is wrong.
  anyOf: none,
  type: ofPlace((_params, message) => withArticle(message)),
  format: ofPlace(({ format }) => formatMessages[String(format)] ?? 'has the wrong form'),
  pattern: ofPlace(({ pattern }) => patternMessages.get(String(pattern)) ?? 'has the wrong form'),
  enum: ofPlace(({ allowedValues }) => `must be one of ${(allowedValues as unknown[]).join(', ')}`),
  const: ofPlace(({ allowedValue }) => `must be ${JSON.stringify(allowedValue)}`),
};

const plain = ofPlace((_params, message) => message);

// Of a value that can also be null, the other schema says what is wrong.
const isOfNull = ({ keyword, params }: Failure): boolean =>
  keyword === 'type' && (params as { type?: unknown }).type === 'null';

/** The nearest place, from here upwards, where no branch of a union fits. */
function unionAt(unions: ReadonlySet<string>, path: string): string | null {
  for (let at = path; ; at = at.slice(0, at.lastIndexOf('/'))) {
    if (unions.has(at)) return at;
    if (at === '') return null;
  }
}

/** Of the branches of a union that does not fit, only the one that is wrong in the fewest places. */
function withoutOtherBranches(failures: Failure[]): Failure[] {
  const unions = new Set(
    failures.filter(({ keyword }) => keyword === 'anyOf').map(({ instancePath }) => instancePath),
  );
  const branchOf = ({ schemaPath, instancePath }: Failure) => {
    const union = unionAt(unions, instancePath);
    const [, branch] = /\/anyOf\/(\d+)(?!.*\/anyOf\/)/.exec(schemaPath) ?? [];
    return union === null || branch === undefined ? null : { union, branch };
  };
  const counts = new Map<string, Map<string, number>>();
  for (const { union, branch } of failures.flatMap((one) => branchOf(one) ?? [])) {
    const ofUnion = counts.get(union) ?? new Map<string, number>();
    counts.set(union, ofUnion.set(branch, (ofUnion.get(branch) ?? 0) + 1));
  }
  const best = new Map(
    [...counts].map(([union, branches]) => {
      const [[branch] = []] = [...branches].toSorted(([, a], [, b]) => a - b);
      return [union, branch];
    }),
  );
  return failures.filter((failure) => {
    const at = branchOf(failure);
    return at === null || best.get(at.union) === at.branch;
  });
}

// No schema allows more or is deeper.
const mostItems = 10_000;
const deepestExplained = 16;
const mostNamed = 100;

/** The first members that a schema does not know, in an object that has more members than any schema. */
function unknownMembers(schema: TSchema, pointer: string, names: readonly string[]): Problem[] {
  const known = new Set(knownMembers(schema as NamingSchema, pointer));
  if (known.size === 0) {
    return [{ pointer, message: `must not have more than ${mostMembers} members` }];
  }
  return names
    .filter((name) => !known.has(name))
    .slice(0, mostNamed)
    .map((name) => ({ pointer: `${pointer}/${escaped(name)}`, message: unknownMember }));
}

/** What is wrong with the first list or object that is too large to look at each of its parts. */
function tooLarge(schema: TSchema, value: unknown, pointer = '', depth = 0): Problem[] {
  if (typeof value !== 'object' || value === null || depth > deepestExplained) return [];
  const isList = Array.isArray(value);
  if (isList && value.length > mostItems) {
    return [{ pointer, message: `must not have more than ${mostItems} items` }];
  }
  const names = Object.keys(value);
  if (!isList && names.length > mostMembers) return unknownMembers(schema, pointer, names);
  for (const name of names) {
    const part = (value as Record<string, unknown>)[name];
    if (typeof part !== 'object' || part === null) continue;
    const found = tooLarge(schema, part, `${pointer}/${escaped(name)}`, depth + 1);
    if (found.length > 0) return found;
  }
  return [];
}

/**
 * Makes the check of a schema, which is compiled for the first value. Of several problems at a place, the
 * first says enough. With `synonyms`, a member that is not known gets the nearest one that is.
 */
export function schemaCheck(schema: TSchema, synonyms?: Synonyms): SchemaCheck {
  let compiled: Validator | undefined;
  return (value) => {
    const validator = (compiled ??= Compile(schema));
    if (validator.Check(value)) return [];
    const large = tooLarge(schema, value);
    if (large.length > 0) return large;
    const [, errors] = validator.Errors(value);
    const failures = errors.filter((failure) => !isOfNull(failure));
    const problems = withoutOtherBranches(failures).flatMap((failure) =>
      (problemsOf[failure.keyword] ?? plain)(failure),
    );
    const byPlace = Map.groupBy(problems, ({ pointer }) => pointer);
    if (byPlace.size === 0) return [{ pointer: '', message: 'is not valid' }];
    const further = { pointer: '', message: 'has more problems than are looked for at once' };
    const isCutOff = errors.length >= mostFailures && !byPlace.has('');
    const found = [...byPlace.values()].map(([first]) => {
      const { pointer, message } = first!;
      const isUnknown = synonyms !== undefined && message === unknownMember;
      return {
        pointer,
        message: isUnknown ? `${message}${suggestion(schema, pointer, synonyms)}` : message,
      };
    });
    return isCutOff ? [...found, further] : found;
  };
}
