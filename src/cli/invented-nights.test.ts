import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OperatorRefusal } from '../access/index.ts';
import { catalogCommands } from './catalog-commands.ts';
import { channelCommands } from './channel-commands.ts';
import type { Command, CommandContext } from './command.ts';

const context = { environment: 'simulation' } as CommandContext;

for (const [noun, commands, verbs, what] of [
  [
    'channel-calendar',
    channelCommands['channel-calendar'],
    ['refresh', 'import', 'address'],
    /it has no channel calendars/,
  ],
  ['block', catalogCommands.block, ['add', 'import'], /it has no blocks/],
] as const) {
  for (const verb of verbs) {
    test(`the simulation refuses: ${noun} ${verb}`, () =>
      assert.rejects(
        async () =>
          (commands[verb as keyof typeof commands] as Extract<Command, { run: unknown }>).run(
            context,
            {},
          ),
        (error) => error instanceof OperatorRefusal && what.test(error.message),
      ));
  }
}
