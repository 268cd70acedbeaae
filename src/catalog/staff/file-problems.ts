/** The problems of an uploaded file, as invalid fields. */
import { refuse } from '../../contract/errors.ts';
import type { CsvProblem } from '../../platform/csv.ts';
import { furtherProblems, type FileProblems } from '../file/problems.ts';

const shownProblems = 100;

const invalidFile = (messages: readonly string[], more: string | null) => {
  const all = more === null ? messages : [...messages, `… ${more}`];
  return refuse('invalid_input', {
    fields: all.map((message) => ({ path: '/file', message })),
  });
};

/** The refusal of a spreadsheet. */
export const csvProblems = (problems: readonly CsvProblem[]) =>
  invalidFile(
    problems
      .toSorted((a, b) => a.line - b.line)
      .slice(0, shownProblems)
      .map(({ line, column, message }) =>
        column === null ? `line ${line}: ${message}` : `line ${line}, ${column}: ${message}`,
      ),
    problems.length > shownProblems ? `and ${problems.length - shownProblems} more problems` : null,
  );

/** The refusal of a catalog file. */
export const catalogProblems = (problems: FileProblems) =>
  invalidFile(
    problems.first.map(
      ({ line, pointer, message }) => `line ${line}: ${pointer || 'the file'} ${message}`,
    ),
    furtherProblems(problems),
  );
