/** The table of wrong programs in the documents. */
import type { ScenarioId } from '../../src/contract/sandbox/scenarios.ts';
import { type Mistake, mutants } from './mutants.ts';

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** Each mistake with what it fails, as lines of Markdown without alignment. */
export function mutantsTable(): string[] {
  const rows = (Object.keys(mutants) as Mistake[]).map((mistake) => {
    const [profile, ...fails] = mutants[mistake] as readonly [string, ...ScenarioId[]];
    return row([mistake, `\`${profile}\``, fails.map((id) => `\`${id}\``).join(', ')]);
  });
  return [row(['Mistake', 'Profile', 'Fails']), ...rows];
}

/** The lines of a table in a document, without alignment and the line below the head. */
export const linesOf = (document: string, head: string): string[] => {
  const lines = document.split('\n').map((line) => line.replaceAll(/ +/g, ' ').trim());
  const first = lines.indexOf(head);
  const end = lines.findIndex((line, index) => index > first && !line.startsWith('|'));
  return first === -1 ? [] : lines.slice(first, end).filter((line) => !line.startsWith('| -'));
};
