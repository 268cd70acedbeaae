/** The names of tests, read out of their files: those made in loops have variable parts. */
import type { SourceFile } from './source.ts';

/** Stands for a variable part of a title. */
export const variable = '…';

/** A test, as its file names it. */
export interface NamedTest {
  /** Suites and title, from the outside in; variable parts read as `…`. */
  path: string;
  /** The pieces of the path between its variable parts. */
  pieces: readonly string[];
}

interface Call {
  indent: number;
  isSuite: boolean;
  pieces: readonly string[];
}

// Calls begin their line: the formatter sees to it.
const call = /^(?<indent> *)(?:await )?(?<word>suite|describe|test|it)\(\s*/gm;
const suiteWords = new Set(['suite', 'describe']);

/** Where the text that is quoted from `start` on ends. */
function endOfText(text: string, start: number): number {
  const quote = text[start];
  let at = start + 1;
  while (at < text.length && text[at] !== quote) {
    if (text[at] === '\\') at += 1;
    at = quote === '`' && text.startsWith('${', at) ? endOfSlot(text, at) : at + 1;
  }
  return at + 1;
}

/** Where the `${…}` from `start` on ends. */
function endOfSlot(text: string, start: number): number {
  let at = start + 2;
  for (let depth = 1; depth > 0 && at < text.length;) {
    const character = text[at] ?? '';
    if (/['"`]/.test(character)) {
      at = endOfText(text, at);
      continue;
    }
    if (character === '{') depth += 1;
    if (character === '}') depth -= 1;
    at += 1;
  }
  return at;
}

const unescaped = (text: string): string => text.replaceAll(/\\(.)/g, '$1');

/** What a name stands for, where the file says so at its top level, in one statement. */
function constantOf(source: string, name: string): string | null {
  const [, value] = source.match(new RegExp(`^const ${name} =\\s+'([^']*)'`, 'm')) ?? [];
  return value ?? null;
}

function piecesOfTemplate(source: string, template: string): string[] {
  const pieces = [''];
  const add = (text: string) => pieces.push((pieces.pop() ?? '') + text);
  for (let at = 1; at < template.length - 1;) {
    if (template.startsWith('${', at)) {
      const end = endOfSlot(template, at);
      const value = constantOf(source, template.slice(at + 2, end - 1).replaceAll(/\W/g, '_'));
      if (value === null) pieces.push('');
      else add(value);
      at = end;
    } else {
      add(template[at] ?? '');
      at += 1;
    }
  }
  return pieces.map(unescaped);
}

/** The title that begins at `start`, in pieces. */
function titleAt(source: string, start: number): string[] {
  const [name] = source.slice(start).match(/^[\w$]+/) ?? [];
  if (name !== undefined) {
    const value = constantOf(source, name);
    return value === null ? ['', ''] : [value];
  }
  const quoted = source.slice(start, endOfText(source, start));
  return quoted.startsWith('`')
    ? piecesOfTemplate(source, quoted)
    : [unescaped(quoted.slice(1, -1))];
}

const callsOf = (source: string): Call[] =>
  [...source.matchAll(call)].map((match) => ({
    indent: match.groups?.['indent']?.length ?? 0,
    isSuite: suiteWords.has(match.groups?.['word'] ?? ''),
    pieces: titleAt(source, match.index + match[0].length),
  }));

/** What stands in two variable parts with nothing between them is one. */
const merged = (pieces: readonly string[]): string[] =>
  pieces.filter((piece, nth) => piece !== '' || nth === 0 || nth === pieces.length - 1);

function joined(titles: readonly (readonly string[])[]): string[] {
  const pieces = [''];
  for (const [nth, [first = '', ...rest]] of titles.entries()) {
    pieces.push((pieces.pop() ?? '') + (nth === 0 ? '' : ' › ') + first, ...rest);
  }
  return pieces;
}

/** All tests of a file, with the suites that they stand in. */
export function testsOf({ text }: Pick<SourceFile, 'text'>): NamedTest[] {
  const suites: Call[] = [];
  return callsOf(text).flatMap((found): NamedTest[] => {
    while ((suites.at(-1)?.indent ?? -1) >= found.indent) suites.pop();
    if (found.isSuite) {
      suites.push(found);
      return [];
    }
    const pieces = merged(joined([...suites, found].map((one) => one.pieces)));
    return [{ path: pieces.join(variable), pieces }];
  });
}

const literally = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** What a name puts in the place of a test's variable parts; null: it is not that test's name. */
export function fillingsOf({ pieces }: NamedTest, name: string): readonly string[] | null {
  const pattern = new RegExp(`^${pieces.map(literally).join('(.*?)')}$`, 's');
  const match = name.match(pattern);
  return match === null ? null : match.slice(1);
}
