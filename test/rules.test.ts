/** Checks the rules of docs/rules: each has a name of its own, code and a test, and every name a rule. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';

const project = path.resolve(import.meta.dirname, '..');
const folder = 'docs/rules';
const read = (file: string): string => readFileSync(path.join(project, file), 'utf8');
const filesOf = (pattern: string): string[] =>
  globSync(pattern, { cwd: project })
    .map((file) => file.replaceAll(path.sep, '/'))
    .toSorted();

/** Rules that only documents hold, or that no code or no test can show by itself, each with its reason. */
const heldByDocuments: Readonly<Record<string, string>> = {
  'ERROR-10': 'what all code must not do; fuzzing proves it',
  'LISTING-4': 'says what a listing does not mean',
};

const origins = ['contract', 'addition', 'departure', 'choice', 'operator'];
const notBuiltYet = 'not built yet';

interface Rule {
  name: string;
  file: string;
  /** What stands below its title. */
  body: string;
  isBuilt: boolean;
}

/** The rules of a file, in their order. */
const rulesOf = (file: string): Rule[] =>
  read(file)
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [heading = '', ...lines] = section.split('\n');
      const body = lines.join('\n').trim();
      return {
        name: /^[A-Z]+-\d+(?=: \S)/.exec(heading)?.[0] ?? heading,
        file,
        body,
        isBuilt: !body.includes(notBuiltYet),
      };
    });

const index = `${folder}/README.md`;
const files = filesOf(`${folder}/*.md`).filter((file) => file !== index);
const rules = files.flatMap(rulesOf);
const names = new Set(rules.map(({ name }) => name));

interface Remark {
  /** File and line. */
  at: string;
  /** Null: it is not in the form of a remark. */
  named: readonly string[] | null;
}

const form = /Spec: ([A-Z]+-\d+(?:, [A-Z]+-\d+)?)\.(?:\s|$)/;

/** The remarks of a source file that name rules. */
const remarksOf = (file: string): Remark[] =>
  read(file)
    .split('\n')
    .flatMap((line, at) =>
      /^\s*(?:\/\/|\/?\*).*\bSpec:/.test(line)
        ? [{ at: `${file}:${at + 1}`, named: form.exec(line)?.[1]?.split(', ') ?? null }]
        : [],
    );

const sources = filesOf(
  '{src,test,bench,console/src,packages/*/src,packages/*/test}/**/*.{ts,tsx}',
);
const isTest = (file: string): boolean => file.startsWith('test/') || file.endsWith('.test.ts');
const remarks = sources.flatMap(remarksOf);
const namedIn = (wanted: (file: string) => boolean): Set<string> =>
  new Set(
    sources
      .filter(wanted)
      .flatMap(remarksOf)
      .flatMap(({ named }) => named ?? []),
  );

function assertNone(found: readonly string[], message: string): void {
  assert.equal(found.length, 0, `${message}:\n${found.map((line) => `  ${line}`).join('\n')}`);
}

describe('the rules', () => {
  it('are found, with the remarks that name them', () => {
    assert.ok(rules.length > 200, `${rules.length} rules`);
    assert.ok(remarks.length > 200, `${remarks.length} remarks`);
  });

  it('have names of their own, in order, and one subject a file', () => {
    const wrong = files.flatMap((file) => {
      const [first, ...others] = rulesOf(file).map(({ name }) => name);
      const subject = first?.split('-')[0] ?? '';
      const numbers = [first, ...others].map((name) => Number(name?.split('-')[1]));
      const isOrdered = numbers.every((number, at) => number > (numbers[at - 1] ?? 0));
      const isOne = others.every((name) => name.startsWith(`${subject}-`));
      return isOrdered && isOne ? [] : [file];
    });
    assertNone(wrong, 'numbers that do not rise, or rules without a name');
    const twice = rules.filter(
      ({ name }, at) => at !== rules.findIndex((one) => one.name === name),
    );
    assertNone(
      twice.map(({ name, file }) => `${name} in ${file}`),
      'two rules with one name',
    );
  });

  it('say where they come from', () => {
    const ends = new RegExp(`_\\((?:${origins.join('|')})\\b[^_]*\\)_`);
    assertNone(
      rules.filter(({ body }) => !ends.test(body)).map(({ name }) => name),
      `the origin is none of ${origins.join(', ')}`,
    );
  });

  it('have their file in the index', () => {
    const text = read(index);
    const missing = files.filter((file) => !text.includes(`](${path.basename(file)})`));
    assertNone(missing, 'not in the index');
  });
});

describe('remarks', () => {
  it('name rules that exist', () => {
    const unknown = remarks.flatMap(({ at, named }) =>
      (named ?? []).filter((name) => !names.has(name)).map((name) => `${at}: ${name}`),
    );
    assertNone(unknown, 'no such rule');
  });

  it('name one rule or two, and nothing else', () => {
    const formless = remarks.filter(({ named }) => named === null);
    assertNone(
      formless.map(({ at }) => at),
      'not in the form `Spec: QUOTE-3.` or `Spec: QUOTE-3, REPEAT-2.`',
    );
  });
});

describe('every rule', () => {
  const inCode = namedIn((file) => !isTest(file));
  const inTests = namedIn(isTest);
  const expected = rules.filter(({ name, isBuilt }) => isBuilt && !(name in heldByDocuments));
  const without = (found: ReadonlySet<string>): string[] =>
    expected.filter(({ name }) => !found.has(name)).map(({ name, file }) => `${name} (${file})`);

  it('that is built has code that names it', () => {
    assertNone(without(inCode), 'no code names');
  });

  it('that is built has a test that names it', () => {
    assertNone(without(inTests), 'no test names');
  });

  it('that has code is not called unbuilt', () => {
    const built = rules.filter(({ name, isBuilt }) => !isBuilt && inCode.has(name));
    assertNone(
      built.map(({ name }) => name),
      `remove the words "${notBuiltYet}"`,
    );
  });

  it('that only documents hold exists, says why, and is missed by no remark', () => {
    const wrong = Object.entries(heldByDocuments).filter(
      ([name, reason]) =>
        !names.has(name) || reason.length < 10 || (inCode.has(name) && inTests.has(name)),
    );
    assertNone(
      wrong.map(([name]) => name),
      'no longer needed here',
    );
  });
});
