/** The problems of an uploaded file, as invalid fields. */
import { refuse } from '../../contract/errors.ts';
import type { CsvProblem } from '../../platform/csv.ts';
import type { FileProblems } from '../file/problems.ts';

const shownProblems = 100;

const invalidFile = (count: number, messages: readonly string[]) => {
  const more = count > messages.length ? [`… and ${count - messages.length} more problems`] : [];
  const fields = [...messages, ...more].map((message) => ({ path: '/file', message }));
  return refuse('invalid_input', { fields });
};

/** The refusal of a spreadsheet. */
export const csvProblems = (problems: readonly CsvProblem[]) =>
  invalidFile(
    problems.length,
    problems
      .toSorted((a, b) => a.line - b.line)
      .slice(0, shownProblems)
      .map(({ line, column, message }) =>
        column === null ? `line ${line}: ${message}` : `line ${line}, ${column}: ${message}`,
      ),
  );

/** The refusal of a catalog file. */
export const catalogProblems = ({ count, first }: FileProblems) =>
  invalidFile(
    count,
    first.map(({ line, pointer, message }) => `line ${line}: ${pointer || 'the file'} ${message}`),
  );
