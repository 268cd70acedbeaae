/** The source as text: what each file imports, exports and names. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** An import, or an export from another file. */
export interface Import {
  /** A path from the project's root, a package, or `node:…`. */
  from: string;
  /** The names as the other file has them; `*`: all of them. */
  names: readonly string[];
}

/** A name that a file offers. */
export interface Export {
  name: string;
  /** `again`: made in another file. */
  kind: 'value' | 'type' | 'again';
}

/** A file as the scanner sees it. */
export interface SourceFile {
  /** From the project's root. */
  file: string;
  text: string;
  imports: readonly Import[];
  exports: readonly Export[];
}

const root = path.join(import.meta.dirname, '../..');

// The formatter puts each statement on a new line.
const statement =
  /^(?<word>import|export) (?:type )?(?<whole>[\w$]+)?,? ?(?<list>\*(?: as [\w$]+)?|\{[^}]*\})?(?: ?from )?'(?<from>[^']+)';/gm;
// A route names what it takes of the file behind the import.
const dynamicImport = /\bimport\(\s*'(?<from>[^']+)'\s*\)(?:,\s*'(?<name>\w+)')?/g;
const declaration =
  /^export (?:async |abstract )*(?<word>const|let|function\*?|class|interface|type|enum) (?<name>[\w$]+)/gm;

const isType = (word: string | undefined): boolean => word === 'interface' || word === 'type';

function listed(list: string): { original: string; given: string }[] {
  const entries = list.slice(1, -1).split(',');
  return entries.flatMap((entry) => {
    const [original, given] = entry
      .trim()
      .replace(/^type /, '')
      .split(' as ');
    return original ? [{ original, given: given ?? original }] : [];
  });
}

function namesOf(whole: string | undefined, list: string | undefined): string[] {
  const names = whole === undefined ? [] : ['default'];
  if (list === undefined) return names;
  if (list.startsWith('*')) return [...names, '*'];
  return [...names, ...listed(list).map(({ original }) => original)];
}

/** The `imports` of `package.json`: the folder that each name stands for. */
const aliases = {
  '#contract/': 'src/contract/',
  '#partner/': 'packages/partner/src/',
} as const;

function located(from: string, file: string): string {
  if (from.startsWith('.')) return path.join(path.dirname(file), from);
  for (const [alias, folder] of Object.entries(aliases)) {
    if (from.startsWith(alias)) return folder + from.slice(alias.length);
  }
  return from;
}

function importsOf(file: string, text: string): Import[] {
  const stated = [...text.matchAll(statement)].map(({ groups = {} }) => ({
    from: located(groups['from'] ?? '', file),
    names: namesOf(groups['whole'], groups['list']),
  }));
  const dynamic = [...text.matchAll(dynamicImport)].map(({ groups = {} }) => ({
    from: located(groups['from'] ?? '', file),
    names: [groups['name'] ?? '*'],
  }));
  return [...stated, ...dynamic];
}

function exportsOf(text: string): Export[] {
  const declared = [...text.matchAll(declaration)].map(({ groups = {} }): Export => ({
    name: groups['name'] ?? '',
    kind: isType(groups['word']) ? 'type' : 'value',
  }));
  const again = [...text.matchAll(statement)].flatMap(({ groups = {} }): Export[] => {
    const { word, list } = groups;
    if (word !== 'export' || !list?.startsWith('{')) return [];
    return listed(list).map(({ given }) => ({ name: given, kind: 'again' }));
  });
  return [...declared, ...again];
}

/** Reads all TypeScript below some folders of the project. */
export function readSource(...folders: string[]): SourceFile[] {
  const files = folders.flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root }));
  return files.toSorted().map((file) => {
    const text = readFileSync(path.join(root, file), 'utf8');
    return { file, text, imports: importsOf(file, text), exports: exportsOf(text) };
  });
}
