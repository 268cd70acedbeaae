import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { TLocalizedValidationError } from 'typebox/error';
import { Settings } from 'typebox/system';
import { limits } from '../contract/limits.ts';

/** A problem at one place of a document. */
export interface Problem {
  /** JSON Pointer (RFC 6901). */
  pointer: string;
  message: string;
}

// The default of the library is eight. The setting is global for this process.
Settings.Set({ maxErrors: limits.bodyBytes });

type Failure = TLocalizedValidationError;

const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

const problemsAt = (failure: Failure, names: string[], message: string): Problem[] =>
  names.map((name) => ({ pointer: `${failure.instancePath}/${escaped(name)}`, message }));

/** Problems by the keyword of a failure; other keywords use the message of the library. */
const problemsOf: Readonly<Record<string, (failure: Failure) => Problem[]>> = {
  required: (failure) =>
    problemsAt(
      failure,
      (failure.params as { requiredProperties: string[] }).requiredProperties,
      'is required',
    ),
  additionalProperties: (failure) =>
    problemsAt(
      failure,
      (failure.params as { additionalProperties: string[] }).additionalProperties,
      'is not known here',
    ),
  // Repeats the members of `additionalProperties` one by one.
  boolean: () => [],
  // The failures of its branches are reported instead.
  anyOf: () => [],
  enum: ({ instancePath: pointer, params }) => {
    const { allowedValues } = params as { allowedValues: unknown[] };
    return [{ pointer, message: `must be one of ${allowedValues.join(', ')}` }];
  },
};

const plain = ({ instancePath: pointer, message }: Failure): Problem[] => [{ pointer, message }];

/** The path of the nearest union, from here upwards, of which no branch matches. */
function unionAt(unions: ReadonlySet<string>, path: string): string | null {
  for (let at = path; ; at = at.slice(0, at.lastIndexOf('/'))) {
    if (unions.has(at)) return at;
    if (at === '') return null;
  }
}

/** For each union without a match, keeps only the branch with the fewest failures. */
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

/** Compiles a check against a schema; it returns all problems, one per place. */
export function checkOf(schema: TSchema): (value: unknown) => Problem[] {
  const validator = Compile(schema);
  return (value) => {
    if (validator.Check(value)) return [];
    const failures = withoutOtherBranches(validator.Errors(value));
    const problems = failures.flatMap((failure) => (problemsOf[failure.keyword] ?? plain)(failure));
    return [...new Map(problems.map((problem) => [problem.pointer, problem])).values()];
  };
}
