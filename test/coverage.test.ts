/** The map of rules to tests against the tests: what it names is there, and no file over HTTP is left out. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { readSource, type SourceFile } from './harness/source.ts';
import { fillingsOf, testsOf, variable, type NamedTest } from './harness/titles.ts';

const root = path.join(import.meta.dirname, '..');
const map = readFileSync(path.join(root, 'docs/coverage.md'), 'utf8');
const sources = new Map(readSource('test', 'src').map((source) => [source.file, source]));
const testFiles = [...sources.keys()].filter((file) => file.endsWith('.test.ts'));

interface Row {
  rule: string;
  names: readonly string[];
}

/** The rows of the tables that name tests: all but those of the last section. */
function rowsOf(text: string): Row[] {
  const [proved = ''] = text.split(/^## Not proved here$/m);
  const lines = proved.split('\n').filter((line) => /^\| (?!Rule +\||-)/.test(line));
  return lines.map((line) => {
    const [, rule = '', tests = ''] = line.split(/(?<!\\)\|/);
    const names = [...tests.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
    return { rule: rule.trim(), names: names.map((name) => name.replaceAll('\\|', '|')) };
  });
}

const rows = rowsOf(map);

/** The file of a name, and the rest of it. */
function located(name: string): { file: string; title: string } {
  const [file = '', ...title] = name.split(' › ');
  return { file: `test/${file}`, title: title.join(' › ') };
}

/** Where the words of a loop's table stand: in the file, in those of the tests that it imports, or in the operation table. */
function vocabularyOf({ file, imports }: SourceFile): string {
  const imported = imports.map(({ from }) => from).filter((from) => from.startsWith('test/'));
  const files = [file, ...imported, 'src/contract/operations.ts'];
  return files.map((one) => sources.get(one)?.text ?? '').join('\n');
}

const trimmed = (texts: readonly string[]): string[] =>
  texts.map((text) => text.trim()).filter((text) => text !== '');

const matches = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, match = '']) => match);

/** What titles are put together from: whole texts, the pieces of templates, names of members, numbers. */
function unitsOf(vocabulary: string): ReadonlySet<string> {
  const templates = matches(vocabulary, /`([^`]*)`/g);
  const units = [
    ...matches(vocabulary, /'((?:[^'\\\n]|\\.)*)'/g),
    ...matches(vocabulary, /"((?:[^"\\\n]|\\.)*)"/g),
    ...templates.flatMap((template) => template.split(/\$\{[^}]*\}/)),
    ...matches(vocabulary, /([\w$]+):/g),
    ...matches(vocabulary, /\b(\d+)\b/g),
  ];
  return new Set([variable, ...trimmed(units)]);
}

/** Whether a text is nothing but units, one after another; none ends within a word. */
function isMadeOf(units: ReadonlySet<string>, text: string): boolean {
  const rest = text.replace(/^[\s,"]+/, '');
  if (rest === '') return true;
  for (let end = rest.length; end > 0; end -= 1) {
    const isBetweenWords = !/^\w\w$/.test(rest.slice(end - 1, end + 1));
    const isUnit = isBetweenWords && units.has(rest.slice(0, end).trim());
    if (isUnit && isMadeOf(units, rest.slice(end))) return true;
  }
  return false;
}

/** Whether a name is that of a test, its variable parts filled from the tables of its file. */
function isNameOf(test: NamedTest, title: string, units: ReadonlySet<string>): boolean {
  // A code span does not end in a blank, a title may.
  const fillings = fillingsOf(test, title) ?? fillingsOf(test, `${title} `);
  // Where one variable part ends and the next begins is not known: they are looked at together.
  return fillings !== null && isMadeOf(units, fillings.join(' '));
}

interface TestFile {
  tests: readonly NamedTest[];
  units: ReadonlySet<string>;
}

const testsByFile = new Map<string, TestFile>(
  testFiles.map((file) => {
    const source = sources.get(file)!;
    return [file, { tests: testsOf(source), units: unitsOf(vocabularyOf(source)) }];
  }),
);

function exists(name: string): boolean {
  const { file, title } = located(name);
  const found = testsByFile.get(file);
  return found?.tests.some((test) => isNameOf(test, title, found.units)) ?? false;
}

function assertNone(found: readonly string[], message: string): void {
  assert.equal(found.length, 0, `${message}:\n${found.map((line) => `  ${line}`).join('\n')}`);
}

describe('the map of rules to tests', () => {
  it('has a test for every rule', () => {
    assert.ok(rows.length > 300, `only ${rows.length} rules were found`);
    assertNone(
      rows.filter(({ names }) => names.length === 0).map(({ rule }) => rule),
      'without a test',
    );
  });

  it('names tests that exist', () => {
    const lost = rows.flatMap(({ rule, names }) =>
      names.filter((name) => !exists(name)).map((name) => `${rule}: ${name}`),
    );
    assertNone(lost, 'no such test');
  });

  it('names every file of tests over HTTP', () => {
    const named = new Set(rows.flatMap(({ names }) => names.map((name) => located(name).file)));
    const forgotten = testFiles.filter((file) => file.startsWith('test/http/') && !named.has(file));
    assertNone(forgotten, 'not named');
  });

  it('finds a title in every test file', () => {
    const silent = testFiles.filter((file) => testsByFile.get(file)?.tests.length === 0);
    assertNone(silent, 'no title was found');
  });
});

const sample = `
suite('stays', () => {
  for (const [what, nights] of cases) {
    test(\`\${what} › \${nights > 1 ? \`\${nights} nights\` : 'one'} › taken\`, async () => {});
  }
  test(create, () => {});
});
const kind = 'short';
test(\`\${kind} ones\`, () => {});
it(
  'is the caller\\'s',
  () => {},
);
`;

describe('the names of tests', () => {
  const tests = testsOf({ text: sample });

  it('are read with their suites; what varies is left open', () => {
    const expected = ['stays › … › … › taken', 'stays › …', 'short ones', "is the caller's"];
    assert.deepEqual(
      tests.map((test) => test.path),
      expected,
    );
  });

  it('fit only what they can become', () => {
    const [first, , third] = tests as [NamedTest, NamedTest, NamedTest];
    assert.deepEqual(fillingsOf(first, 'stays › long › 2 nights › taken'), ['long', '2 nights']);
    assert.equal(fillingsOf(first, 'stays › long › 2 nights › refused'), null);
    assert.equal(fillingsOf(third, 'short one'), null);
  });
});
