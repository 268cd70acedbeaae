import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { TLocalizedValidationError } from 'typebox/error';
import { Settings } from 'typebox/system';
import { limits } from '../contract/limits.ts';

/** Something wrong at a place of a document. */
export interface Problem {
  /** JSON Pointer (RFC 6901). */
  pointer: string;
  message: string;
}

// The library stops at eight otherwise. The same for all that validate in this process.
Settings.Set({ maxErrors: limits.bodyBytes });

type Failure = TLocalizedValidationError;

const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

const named = (failure: Failure, names: string[], message: string): Problem[] =>
  names.map((name) => ({ pointer: `${failure.instancePath}/${escaped(name)}`, message }));

/** How a failure reads, by its keyword; the message of the library says the rest. */
const problemsOf: Readonly<Record<string, (failure: Failure) => Problem[]>> = {
  required: (failure) =>
    named(
      failure,
      (failure.params as { requiredProperties: string[] }).requiredProperties,
      'is required',
    ),
  additionalProperties: (failure) =>
    named(
      failure,
      (failure.params as { additionalProperties: string[] }).additionalProperties,
      'is not known here',
    ),
  // The same members again, one by one.
  boolean: () => [],
  // Its branches say what is wrong.
  anyOf: () => [],
  enum: ({ instancePath: pointer, params }) => {
    const { allowedValues } = params as { allowedValues: unknown[] };
    return [{ pointer, message: `must be one of ${allowedValues.join(', ')}` }];
  },
};

const plain = ({ instancePath: pointer, message }: Failure): Problem[] => [{ pointer, message }];

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

/** A check of values against a schema; it gives all that is wrong, each place once. */
export function checkOf(schema: TSchema): (value: unknown) => Problem[] {
  const validator = Compile(schema);
  return (value) => {
    if (validator.Check(value)) return [];
    const failures = withoutOtherBranches(validator.Errors(value));
    const problems = failures.flatMap((failure) => (problemsOf[failure.keyword] ?? plain)(failure));
    return [...new Map(problems.map((problem) => [problem.pointer, problem])).values()];
  };
}
