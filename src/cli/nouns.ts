import { type CommandNoun, commandNouns } from '../contract/operator/command.ts';
import type { Command, Noun } from './command.ts';

/** Commands by noun, then by verb. */
export type Commands = Partial<Record<CommandNoun, Readonly<Record<string, Command>>>>;

const byName = (verbs: Readonly<Record<string, Command>>): Record<string, Command> =>
  Object.fromEntries(Object.entries(verbs).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** Every noun with its verbs, in the order of the table of nouns; verbs by name. */
export function nounsOf(...tables: readonly Commands[]): Record<string, Noun> {
  const nouns: Record<string, Noun> = {};
  for (const [name, summary] of Object.entries(commandNouns)) {
    const verbs = byName(Object.assign({}, ...tables.map((table) => table[name as CommandNoun])));
    const noun: Noun = { summary, verbs };
    const [outer = '', inner] = name.split(' ');
    if (inner === undefined) nouns[outer] = noun;
    else nouns[outer]!.nouns = { ...nouns[outer]!.nouns, [inner]: noun };
  }
  return Object.fromEntries(
    Object.entries(nouns).filter(
      ([, { verbs, nouns: inner }]) => inner || Object.keys(verbs).length > 0,
    ),
  );
}
