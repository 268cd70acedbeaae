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

const saidIn = (vocabulary: string, filling: string): boolean =>
  filling
    .split(/[\s,"]+/)
    .filter((word) => word !== variable)
    .every((word) => vocabulary.includes(word));

/** Whether a name is that of a test, its variable parts filled with words of the file's tables. */
function isNameOf(test: NamedTest, title: string, vocabulary: string): boolean {
  // A code span does not end in a blank, a title may.
  const fillings = fillingsOf(test, title) ?? fillingsOf(test, `${title} `);
  return fillings !== null && fillings.every((filling) => saidIn(vocabulary, filling));
}

const testsByFile = new Map<string, NamedTest[]>();

function testsIn(source: SourceFile): NamedTest[] {
  const tests = testsByFile.get(source.file) ?? testsOf(source);
  testsByFile.set(source.file, tests);
  return tests;
}

function exists(name: string): boolean {
  const { file, title } = located(name);
  const source = sources.get(file);
  if (!source) return false;
  const vocabulary = vocabularyOf(source);
  return testsIn(source).some((test) => isNameOf(test, title, vocabulary));
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
    const silent = testFiles.filter((file) => testsIn(sources.get(file)!).length === 0);
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
