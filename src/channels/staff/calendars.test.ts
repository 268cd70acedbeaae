import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calendarActs } from './calendars.ts';

test('the simulation refuses to add a calendar', () => {
  const { handler } = calendarActs['operator.channelCalendar.add'];
  const call = { context: { environment: 'simulation' }, actor: { name: 'test' }, body: {} };
  assert.deepEqual(handler.reply(call as never, undefined as never), {
    refused: 'conflict',
    message: 'Availability in the simulation is artificial: it has no channel calendars.',
  });
});
