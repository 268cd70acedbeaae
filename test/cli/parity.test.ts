/** Every command that is written by hand has its operation in the operator's API, and both call the same function. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { suite, test } from 'node:test';
import type { Noun } from '../../src/cli/command.ts';
import { nouns } from '../../src/cli/commands.ts';
import type { OperatorOperationId } from '../../src/contract/operator/operations.ts';
import { operatorOperations } from '../../src/operator/index.ts';

/** Commands that make sense only on a machine, each with its reason. */
const onlyHere: Readonly<Record<string, string>> = {
  'payment list': 'prints one of two lists: operator.payment.list or operator.attention.list',
  'payment reconcile': 'may take longer than operator.payment.reconcile',
  'catalog schema': 'prints a document of this version, and needs no service',
  'catalog generate': 'invents a file, and changes nothing',
  'webhook listen': 'sends events to a program on the machine where it runs',
};

/** The function of each command, and the operations that call it too. */
const shared: Readonly<
  Record<string, readonly [called: string, ...by: readonly OperatorOperationId[]]>
> = {
  'catalog import': ['importCatalog', 'operator.catalog.import'],
  'catalog export': ['exportCatalog', 'operator.catalog.export'],
  'catalog list': ['listCatalogs', 'operator.catalog.list'],
  'rate import': ['importRates', 'operator.rate.import'],
  'picture add': ['addPicture', 'operator.picture.add'],
  'picture list': ['listPictures', 'operator.picture.list'],
  'picture set': ['setPicture', 'operator.picture.set'],
  'picture remove': ['removePicture', 'operator.picture.remove'],
  'block add': ['blockNights', 'operator.block.add'],
  'block list': ['listBlocksOf', 'operator.block.list'],
  'block remove': ['unblockNights', 'operator.block.remove'],
  'block import': ['importBlocks', 'operator.block.import'],
  'channel-calendar list': ['listCalendarsOf', 'operator.channelCalendar.list'],
  'channel-calendar conflicts': ['listConflictsOf', 'operator.channelCalendar.conflicts'],
  'channel-calendar refresh': ['refreshNow', 'operator.channelCalendar.refresh'],
  'channel-calendar remove': ['removeCalendar', 'operator.channelCalendar.remove'],
  'channel-calendar import': ['importCalendar', 'operator.channelCalendar.import'],
  'channel-calendar address': ['calendarAddress', 'operator.channelCalendar.address'],
  'staff invite': ['inviteStaff', 'operator.staff.invite'],
  'staff list': ['listStaff', 'operator.staff.list'],
  'staff set-role': ['setRole', 'operator.staff.change'],
  'staff disable': ['disableStaff', 'operator.staff.disable'],
  'staff enable': ['enableStaff', 'operator.staff.enable'],
  'staff remove-second-factor': ['removeSecondFactor', 'operator.staff.removeSecondFactor'],
  'staff token issue': ['issueOperatorToken', 'operator.token.issue'],
  'staff token list': ['listOperatorTokens', 'operator.token.list'],
  'staff token revoke': ['revokeOperatorToken', 'operator.token.revoke'],
};

const within = (name: string, { verbs, nouns: inner = {} }: Noun): [string, string][] => [
  ...Object.entries(verbs)
    .filter(([, { row }]) => row === undefined)
    .map(([verb, command]): [string, string] => [
      `${name} ${verb}`,
      'run' in command ? String(command.run) : '',
    ]),
  ...Object.entries(inner).flatMap(([one, noun]) => within(`${name} ${one}`, noun)),
];
const commands = new Map(Object.entries(nouns).flatMap(([name, noun]) => within(name, noun)));

const cli = path.resolve(import.meta.dirname, '../../src/cli');

suite('commands and operations', () => {
  test('every command by hand is named: with its operations, or with the reason why it has none', () => {
    const named = [...Object.keys(shared), ...Object.keys(onlyHere)];
    assert.deepEqual(named.toSorted(), [...commands.keys()].toSorted());
  });

  for (const [name, [called, ...by]] of Object.entries(shared)) {
    test(`${name} › calls ${called}, as ${by.join(' and ')}`, () => {
      const callers = [
        commands.get(name)!,
        ...by.map((id) => String(operatorOperations[id].handler.reply)),
      ];
      for (const text of callers) assert.match(text, new RegExp(String.raw`\b${called}\b`));
    });
  }

  test('no command has a statement of its own', () => {
    const own = readdirSync(cli).filter((file) =>
      /\.(query|transaction)\(/.test(readFileSync(path.join(cli, file), 'utf8')),
    );
    assert.deepEqual(own, []);
  });
});
