import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OperatorRefusal } from '../../access/index.ts';
import { calendarActs } from './calendars.ts';

test('the simulation refuses to add a calendar', () => {
  const { handler } = calendarActs['operator.channelCalendar.add'];
  const call = { context: { environment: 'simulation' }, actor: { name: 'test' }, body: {} };
  assert.throws(
    () => handler.reply(call as never, undefined as never),
    (error) => error instanceof OperatorRefusal && /has no channel calendars/.test(error.message),
  );
});
