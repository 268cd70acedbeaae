import assert from 'node:assert/strict';
import { test } from 'node:test';
import { catalogCommands } from '../../src/cli/catalog-commands.ts';
import { channelCommands } from '../../src/cli/channel-commands.ts';
import type { Command, CommandContext } from '../../src/cli/command.ts';
import { operatorOperations } from '../../src/operator/index.ts';

const simulation = { environment: 'simulation' } as const;

/** What the simulation does not have, because its nights are invented. */
const missing = {
  'operator.block.add': 'blocks',
  'operator.block.import': 'blocks',
  'operator.channelCalendar.refresh': 'channel calendars',
  'operator.channelCalendar.import': 'channel calendars',
  'operator.channelCalendar.address': 'channel calendars',
} as const;

const refusalOf = (what: string) => ({
  refused: 'conflict',
  message: `Availability in the simulation is artificial: it has no ${what}.`,
});

for (const [id, what] of Object.entries(missing)) {
  test(`the simulation refuses: ${id}`, async () => {
    const { reply } = operatorOperations[id as keyof typeof missing].handler;
    const call = { context: simulation, actor: { name: 'ada' }, params: {}, body: {} };
    assert.deepEqual(await reply(call as never, undefined as never), refusalOf(what));
  });
}

for (const [name, command, what] of [
  ['block import', catalogCommands.block.import, 'blocks'],
  ['channel-calendar import', channelCommands['channel-calendar'].import, 'channel calendars'],
] as const) {
  test(`the simulation refuses: ${name}`, async () => {
    const { run } = command as Extract<Command, { run: unknown }>;
    assert.deepEqual(await run(simulation as CommandContext, {}), refusalOf(what));
  });
}
