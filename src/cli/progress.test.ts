import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { suite, test } from 'node:test';
import { drawProgress } from './progress.ts';

function terminal() {
  let text = '';
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString();
      done();
    },
  });
  return { stream, text: () => text };
}

suite('progress bar', () => {
  test('shows how much of a large file is read, and clears its line', () => {
    const { stream, text } = terminal();
    const bar = drawProgress(stream, 200_000_000);
    bar.update(50_000_000);
    assert.equal(text(), `\r${'█'.repeat(8)}${'░'.repeat(22)}  25 %  50 of 200 MB`);
    bar.update(51_000_000);
    bar.end();
    assert.equal(text().split('\r').length, 3, 'not drawn again at once');
    assert.ok(text().endsWith('\r\u001B[K'));
  });

  test('is not drawn without a terminal, nor for a small file', () => {
    const { stream, text } = terminal();
    const small = drawProgress(stream, 4_000_000);
    small.update(1);
    small.end();
    assert.equal(text(), '');
    drawProgress(null, 1e9).update(1);
  });
});
