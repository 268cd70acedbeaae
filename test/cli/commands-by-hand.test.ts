/** Commands that do not follow from a row of the operator's table. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { suite, test } from 'node:test';
import type { Noun } from '../../src/cli/command.ts';
import { nouns } from '../../src/cli/commands.ts';

/** Each command that is written by hand, with its reason. */
const byHand: Readonly<Record<string, string>> = {
  'catalog import': 'reads a file of any size piece by piece, with its progress',
  'catalog export': 'writes a file of any size piece by piece',
  'catalog list': 'counts the collections that operator.catalog.list names',
  'catalog schema': 'prints a document of this version, and needs no service',
  'catalog generate': 'invents a file, and changes nothing',
  'rate import': 'reads a file that may be larger than a call',
  'block import': 'reads a file that may be larger than a call',
  'picture add': 'uploads a file and adds it: two operations',
  'channel-calendar list': 'shows the secret addresses, which no call does',
  'channel-calendar import': 'reads a file, and takes its name',
  'conformance verify': 'reads a file, and the keys that have signed it',
  'master-key retire': 'looks at everything that is sealed, which takes longer than a call may',
  'master-key rotate': 'the same',
  'master-key show': 'the same',
  'payment reconcile': 'may take longer than operator.payment.reconcile',
  'webhook listen': 'sends events to a program on the machine where it runs',
};

const within = (name: string, { verbs, nouns: inner = {} }: Noun): string[] => [
  ...Object.entries(verbs)
    .filter(([, { row }]) => row === undefined)
    .map(([verb]) => `${name} ${verb}`),
  ...Object.entries(inner).flatMap(([one, noun]) => within(`${name} ${one}`, noun)),
];

suite('commands without a row', () => {
  test('each has a reason', () => {
    const commands = Object.entries(nouns).flatMap(([name, noun]) => within(name, noun));
    assert.deepEqual(commands.toSorted(), Object.keys(byHand).toSorted());
  });

  test('no command has a statement of its own', () => {
    const cli = path.resolve(import.meta.dirname, '../../src/cli');
    const own = readdirSync(cli).filter((file) =>
      /\.(query|transaction)\(/.test(readFileSync(path.join(cli, file), 'utf8')),
    );
    assert.deepEqual(own, []);
  });
});
