import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { readInvocation } from './invocation.ts';

const listWith = (...words: string[]) => readInvocation(['block', 'list', ...words, '--json']);

suite('a value that begins with a dash', () => {
  test('any cursor is read, with any first characters', () => {
    const bytes = fc.uint8Array({ minLength: 17, maxLength: 60 });
    const firsts = fc.constantFrom('', '-', '--', '---', '-a', '--A', '-1');
    fc.assert(
      fc.property(firsts, bytes, (first, rest) => {
        const cursor = `${first}${Buffer.from(rest).toString('base64url')}`;
        const invocation = listWith('--cursor', cursor);
        assert.ok(invocation.kind === 'command', `${cursor} ${JSON.stringify(invocation)}`);
        assert.equal(invocation.values['cursor'], cursor);
        assert.ok(invocation.json);
      }),
      { examples: [['--A', new Uint8Array(17)]] },
    );
  });

  test('a flag is no value of the flag before it', () => {
    for (const word of ['--limit', '--limit=5', '--nothing', '-x']) {
      const invocation = listWith('--cursor', word);
      assert.ok(invocation.kind === 'misuse');
      assert.match(invocation.problems.join(), /--cursor/);
    }
  });

  test('a flag without a value takes none', () => {
    const invocation = readInvocation(['block', 'list', '--json', '-5']);
    assert.ok(invocation.kind === 'misuse');
  });
});
