import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { isText, lineText } from './log-text.ts';

suite('lineText', () => {
  test('shows a call by operation, status, time, application and request ID', () => {
    const line = {
      level: 'info',
      time: '2027-01-01T00:00:00.000Z',
      msg: 'answered',
      requestId: '8d1f6c52-0b9e-4a37-9c58-e3d2b1a09f46',
      operation: 'reservation.quote.create',
      method: 'POST',
      status: 409,
      code: 'conflict',
      ms: 12.3,
      applicationId: 'a',
      application: 'Harbour Stays',
    };
    assert.equal(
      lineText(line),
      'reservation.quote.create  409  conflict  12.3 ms  Harbour Stays  8d1f6c52-0b9e-4a37-9c58-e3d2b1a09f46',
    );
  });

  test('shows the method of a call to an unknown path', () => {
    const line = {
      msg: 'answered',
      operation: null,
      method: 'GET',
      status: 404,
      code: null,
      ms: 1,
    };
    assert.equal(lineText(line), 'GET  404  1 ms');
  });

  test('shows the members of any other line, and the stack of its error', () => {
    const line = {
      msg: 'unavailable',
      requestId: 'r',
      none: null,
      err: { stack: 'Error: x\n  at y' },
    };
    assert.equal(lineText(line), 'unavailable  requestId=r\nError: x\n  at y');
  });
});

test('isText › as asked, else at a terminal', () => {
  assert.deepEqual(
    [isText('json', true), isText('text', false), isText(null, true), isText(null, false)],
    [false, true, true, false],
  );
});
