/** The SQL statements of the modules, read from what their top level declares. */
import { globSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Statement } from '../platform/postgres/database.ts';
import { type Declared, variants } from './statement-variants.ts';

const source = path.resolve(import.meta.dirname, '..');
const opened = '?declared';
const declaration = /^(?:export )?(?:async )?(?:const|function) (\w+)/gm;

/** Exports everything that a module declares: statements are private to theirs. */
function withDeclarations(text: string): string {
  const names = [...text.matchAll(declaration)].map(([, name]) => name!);
  return `${text}\nexport const everythingDeclared = { ${names.join(', ')} };\n`;
}

const openModules = () =>
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      if (!url.endsWith(opened)) return loaded;
      return { ...loaded, source: withDeclarations(String(loaded.source)) };
    },
  });

const isStatement = (value: object): value is Statement =>
  'name' in value &&
  'text' in value &&
  Object.keys(value).every((key) => ['name', 'variant', 'text'].includes(key));

/** What a function of a store asks; other values as they are. */
const askedBy = (value: unknown): unknown =>
  typeof value === 'function' && 'statement' in value ? value.statement : value;

/** The statements among declared values, and those inside tables and lists of them. */
function* statementsIn(declared: unknown): Iterable<Statement> {
  const value = askedBy(declared);
  if (typeof value !== 'object' || value === null) return;
  if (isStatement(value)) yield value;
  else if (Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype) {
    for (const inner of Object.values(value)) yield* statementsIn(inner);
  }
}

/** A module and its statements, in the order of its text. */
export interface ModuleStatements {
  /** Its path below `src`. */
  file: string;
  statements: Statement[];
}

async function open(file: string): Promise<Declared> {
  const { href } = pathToFileURL(path.join(source, file));
  const module = (await import(`${href}${opened}`)) as { everythingDeclared: Declared };
  return module.everythingDeclared;
}

async function readModule(file: string): Promise<ModuleStatements> {
  const declared = await open(file);
  const asked = await variants[file]?.(declared, open);
  return { file, statements: [...statementsIn([Object.values(declared), asked])] };
}

const named = /\bStatement\b|\/statement-functions\.ts'/;

/** Reads the statements of every module that has some, by the paths of the modules. */
export async function readStatements(): Promise<ModuleStatements[]> {
  const files = globSync('**/*.ts', { cwd: source })
    .filter((file) => !file.startsWith('build/') && !file.endsWith('.test.ts'))
    .filter((file) => named.test(readFileSync(path.join(source, file), 'utf8')))
    .toSorted();
  const hooks = openModules();
  try {
    const modules: ModuleStatements[] = [];
    for (const file of files) modules.push(await readModule(file));
    return modules.filter(({ statements }) => statements.length > 0);
  } finally {
    hooks.deregister();
  }
}
