import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OperatorRefusal } from '../access/index.ts';
import { blockNoun } from './catalog-commands.ts';
import { channelCalendarNoun } from './channel-commands.ts';
import type { Command, CommandContext } from './command.ts';

const context = { environment: 'simulation' } as CommandContext;

for (const [noun, verbs, what] of [
  [channelCalendarNoun, ['add', 'refresh', 'import', 'address'], /it has no channel calendars/],
  [blockNoun, ['add', 'import'], /it has no blocks/],
] as const) {
  for (const verb of verbs) {
    test(`the simulation refuses: ${noun.summary} ${verb}`, () =>
      assert.rejects(
        async () => (noun.verbs[verb] as Extract<Command, { run: unknown }>).run(context, {}),
        (error) => error instanceof OperatorRefusal && what.test(error.message),
      ));
  }
}
