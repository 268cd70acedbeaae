import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OperatorRefusal } from '../../src/access/index.ts';
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

const refusesIt = (what: string) => (error: unknown) =>
  error instanceof OperatorRefusal &&
  error.message === `Availability in the simulation is artificial: it has no ${what}.`;

for (const [id, what] of Object.entries(missing)) {
  test(`the simulation refuses: ${id}`, () => {
    const { reply } = operatorOperations[id as keyof typeof missing].handler;
    const call = { context: simulation, actor: { name: 'ada' }, params: {}, body: {} };
    return assert.rejects(async () => reply(call as never, undefined as never), refusesIt(what));
  });
}

for (const [name, command, what] of [
  ['block import', catalogCommands.block.import, 'blocks'],
  ['channel-calendar import', channelCommands['channel-calendar'].import, 'channel calendars'],
] as const) {
  test(`the simulation refuses: ${name}`, () =>
    assert.rejects(async () => {
      const { run } = command as Extract<Command, { run: unknown }>;
      return run(simulation as CommandContext, {});
    }, refusesIt(what)));
}
