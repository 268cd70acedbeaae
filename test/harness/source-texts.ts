/** Finds the texts in certain calls of the source, such as log messages. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A text in a call. `parts` are its fixed parts, between the placeholders. */
export interface SourceText {
  file: string;
  parts: readonly string[];
  /** Whether the text itself is an argument, and not a member of one. */
  isArgument: boolean;
}

const root = path.join(import.meta.dirname, '../..');
const opening = new Set(['(', '[', '{']);
const closing = new Set([')', ']', '}']);
const quotes = new Set(["'", '"', '`']);

const unescaped = (text: string): string => text.replaceAll(/\\(['"`\\])/g, '$1');

/** The position of the bracket that closes the one at `from`. */
function closedAt(source: string, from: number): number {
  for (let at = from + 1; at < source.length; at += 1) {
    const sign = source[at] ?? '';
    if (closing.has(sign)) return at;
    if (quotes.has(sign)) at = textAt(source, at).end;
    else if (opening.has(sign)) at = closedAt(source, at);
  }
  return source.length;
}

/** The text that begins at `from`, and where it ends. */
function textAt(source: string, from: number): { parts: string[]; end: number } {
  const quote = source[from];
  const parts: string[] = [];
  let part = from + 1;
  for (let at = from + 1; at < source.length; at += 1) {
    if (source[at] === quote) {
      return { parts: [...parts, unescaped(source.slice(part, at))], end: at };
    }
    if (source[at] === '\\') at += 1;
    else if (quote === '`' && source.startsWith('${', at)) {
      parts.push(unescaped(source.slice(part, at)));
      at = closedAt(source, at + 1);
      part = at + 1;
    }
  }
  return { parts, end: source.length };
}

function textsIn(file: string, source: string, from: number): SourceText[] {
  const texts: SourceText[] = [];
  let depth = 0;
  for (let at = from; at < source.length; at += 1) {
    const sign = source[at] ?? '';
    if (source.startsWith('//', at)) at = source.indexOf('\n', at);
    else if (quotes.has(sign)) {
      const { parts, end } = textAt(source, at);
      texts.push({ file, parts, isArgument: depth === 1 });
      at = end;
    } else if (opening.has(sign)) depth += 1;
    else if (closing.has(sign)) {
      depth -= 1;
      if (depth === 0) return texts;
    }
  }
  return texts;
}

/** The texts in all calls in `src` whose beginning, up to the parenthesis, matches. */
export function textsOfCalls(head: RegExp): SourceText[] {
  return globSync('src/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] }).flatMap((name) => {
    const file = name.replaceAll(path.sep, '/');
    const source = readFileSync(path.join(root, file), 'utf8');
    return [...source.matchAll(head)].flatMap((found) =>
      textsIn(file, source, found.index + found[0].length - 1),
    );
  });
}
