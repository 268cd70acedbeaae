import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { formatOutcome } from './layout.ts';
import { runCommandLine } from './run-command-line.ts';

/** Clears the screen, changes the title, ends in C1, and reverses the direction. */
const hostile = 'A\u001B[2J\u001B]0;B\u0007\u009B\r\u202E';

suite('output on a terminal', () => {
  test('a name of a guest cannot control it', () => {
    const text = formatOutcome({ document: { guest: { firstName: hostile }, nights: 2 } });
    assert.equal(
      text,
      'guest   firstName=A\\u001b[2J\\u001b]0;B\\u0007\\u009b\\u000d\\u202e\nnights  2\n',
    );
  });

  test('a line break in a cell does not begin a row', () => {
    const items = [{ reference: 'LK-1', name: 'A\nLK-2  B' }];
    assert.equal(
      formatOutcome({ document: { items } }),
      'REFERENCE  NAME\nLK-1       A\\u000aLK-2  B\n',
    );
  });

  test('neither can a word of a command line that is wrong', async () => {
    const output = { print: () => undefined, write: async () => undefined, terminal: null };
    const { err } = await runCommandLine(['catalog', `list${hostile}`], {}, output);
    assert.match(err, /\\u001b\[2J/);
    // oxlint-disable-next-line no-control-regex
    assert.doesNotMatch(err, /[\u0000-\u0009\u000B-\u001F\u007F-\u009F]/);
  });
});
