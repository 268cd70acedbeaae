/** What the guides show of calls is recorded, or fits the tables of the contract. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { operatorOperations } from '../../src/contract/operator/operations.ts';
import { operations } from '../../src/contract/partner/operations.ts';
import { portalOperations } from '../../src/contract/portal/operations.ts';
import type { Row } from '../../src/contract/rows.ts';
import { sandboxOperations } from '../../src/contract/sandbox/operations.ts';
import { readEntry } from '../../src/catalog/file/entries.ts';
import { schemaCheck } from '../../src/platform/schema-check.ts';
import { CatalogFile } from '../../src/contract/catalog-file.ts';
import {
  checkAgainstDocument,
  checkAgainstOperatorDocument,
  checkAgainstPortalDocument,
  checkAgainstSandboxDocument,
} from '../harness/document.ts';
import { type GuideBlock, guideBlocks } from '../harness/guide-blocks.ts';

const rows: Readonly<Record<string, Row>> = {
  ...operations,
  ...portalOperations,
  ...sandboxOperations,
  ...operatorOperations,
};

const checks = {
  operator: checkAgainstOperatorDocument,
  portal: checkAgainstPortalDocument,
  sandbox: checkAgainstSandboxDocument,
};

function checkReply(operation: string, status: string, body: unknown): void {
  const [surface = ''] = operation.split('.');
  const check = checks[surface as keyof typeof checks] ?? checkAgainstDocument;
  check(operation, Number(status), body);
}

/** A home of a catalog file that has everything but what a block shows of it. */
const homeWith = (shown: object): object => ({
  slug: 'home',
  name: 'Home',
  timeZone: 'Europe/Vienna',
  sleeps: 2,
  currency: 'EUR',
  rates: { nightly: 10_000 },
  ...shown,
});

const checkFile = schemaCheck(CatalogFile);

const checkRates = schemaCheck(operatorOperations['operator.rate.setBulk'].body);
const checkOutsideStay = schemaCheck(operatorOperations['operator.outsideStay.put'].body);

interface StayInFile {
  id: string;
  cancelled?: true;
}

/** What the program of the guide sends of the stays in its file. */
const sentStays = (text: string): object[] =>
  (JSON.parse(text) as StayInFile[])
    .filter(({ cancelled }) => !cancelled)
    .map(({ id: _, ...stay }) => stay);

/** How a block of JSON is compared, by what its first line begins with. */
const kinds: Readonly<Record<string, (block: GuideBlock, words: string[]) => void>> = {
  // Generated: test/schema.test.ts and `npm run check` compare the file.
  recorded: () => undefined,
  // Compared with what is really posted, by the tests of posting.
  posted: () => undefined,
  // Of another program.
  configuration: () => undefined,
  reply: ({ text }, [operation = '', status = '']) =>
    checkReply(operation, status, JSON.parse(text)),
  'catalog-file': ({ text }) => assert.deepEqual(checkFile(JSON.parse(text)), []),
  'rates-file': ({ text }) => assert.deepEqual(checkRates({ rates: JSON.parse(text) }), []),
  'stays-file': ({ text }) =>
    assert.deepEqual(
      sentStays(text).flatMap((stay) => checkOutsideStay(stay)),
      [],
    ),
  payment: ({ text }) => {
    const home = homeWith({ payment: JSON.parse(text) as unknown });
    assert.deepEqual(readEntry('listings', home).problems, []);
  },
};

// test/golden/taxes-guide.test.ts computes its examples.
const isComputed = ({ file }: GuideBlock): boolean => file.endsWith('/taxes-and-rules.md');

suite('the JSON of the guides', () => {
  const blocks = guideBlocks.filter(({ language }) => language === 'json');
  for (const block of blocks.filter((one) => !isComputed(one))) {
    const [kind = '', ...words] = block.shows.split(' ');
    test(`${block.file} › ${block.shows || block.text.slice(0, 40)}`, () => {
      const compare = kinds[kind];
      assert.ok(compare, 'say in its first line what it shows');
      compare(block, words);
    });
  }
});

/** The row of a method and a path; undefined: there is none. */
function rowOf(method: string, path: string): Row | undefined {
  const parts = path.split('/');
  return Object.values(rows).find((row) => {
    const known = row.path.split('/');
    return (
      row.method === method &&
      known.length === parts.length &&
      known.every((part, at) => part.startsWith('{') || part === parts[at])
    );
  });
}

const address = /"\$\w+(\/[\w/$-]+)/;

/** The calls of a program of the shell. */
const callsOf = ({ file, text }: GuideBlock) =>
  text
    .replaceAll('\\\n', ' ')
    .split(/\n(?! )/)
    .flatMap((command) => {
      const [, path = ''] = address.exec(command) ?? [];
      if (!/^\/(v1|\w+\/v1)\//.test(path)) return [];
      const isSent = / (-d|--data) /.test(command);
      const [, method = isSent ? 'POST' : 'GET'] = / -X ([A-Z]+)/.exec(command) ?? [];
      const [, data] = / (?:-d|--data) '([^']*)'/.exec(command) ?? [];
      return [{ file, path, method, data }];
    });

const named = /\b(GET|POST|PUT|PATCH|DELETE) (\/v1\/[^\s?]*)/g;

suite('the calls of the guides', () => {
  const programs = guideBlocks.filter(({ language }) => language === 'bash').flatMap(callsOf);
  const shown = guideBlocks
    .filter(({ language }) => language === '')
    .flatMap(({ file, text }) =>
      [...text.matchAll(named)].map(([, method = '', path = '']) => ({ file, method, path })),
    );

  test('are of operations', () => {
    assert.ok(programs.length > 10 && shown.length > 3, `${programs.length} ${shown.length}`);
    assert.deepEqual(
      [...programs, ...shown].filter(({ method, path }) => !rowOf(method, path)),
      [],
    );
  });

  test('send what the operations take', () => {
    const wrong = programs.flatMap(({ file, method, path, data }) => {
      const body = rowOf(method, path)?.body;
      if (data === undefined || !body) return [];
      return schemaCheck(body)(JSON.parse(data)).map((problem) => ({ file, path, ...problem }));
    });
    assert.deepEqual(wrong, []);
  });
});
