import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { jsonBounds } from './json-bounds.ts';
import { longJson } from './long-json.ts';

/** Where strings of a text are that have at least so many bytes. */
function rangesIn(bytes: Buffer, least: number) {
  const ranges: { from: number; to: number }[] = [];
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes[at] !== 0x22) continue;
    const from = at + 1;
    for (at = from; bytes[at] !== 0x22; at += 1) if (bytes[at] === 0x5c) at += 1;
    if (at - from >= least) ranges.push({ from, to: at });
  }
  return ranges;
}

const parsed = (bytes: Buffer, least: number, sliceBytes: number) =>
  longJson(
    bytes,
    rangesIn(bytes, least),
    (rest) => JSON.parse(rest.toString()) as unknown,
    sliceBytes,
  );

const escaped = fc.constantFrom('\\', '"', '\n', '\u0001', 'é', '€', '𝄞', '\ud834', '\ufeff', 'a');
const texts = fc.array(escaped, { maxLength: 120 }).map((each) => each.join(''));
const bodies = fc.record({
  file: texts,
  names: fc.array(texts, { maxLength: 3 }),
  more: fc.record({ text: texts, count: fc.integer(), none: fc.constant(null) }),
});

test('a body with long strings is what JSON.parse makes of it, wherever its slices end', async () => {
  await fc.assert(
    fc.asyncProperty(
      bodies,
      fc.boolean(),
      fc.integer({ min: 16, max: 40 }),
      async (body, isEscaped, sliceBytes) => {
        const plain = JSON.stringify(body);
        const text = isEscaped
          ? plain.replaceAll(
              /[^ -~]/g,
              (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
            )
          : plain;
        assert.deepEqual(await parsed(Buffer.from(text), 8, sliceBytes), JSON.parse(text));
      },
    ),
  );
});

test('a long string that is no JSON or no UTF-8 is refused', async () => {
  const bytes = (content: string | Buffer) =>
    Buffer.concat([Buffer.from('{"file":"'), Buffer.from(content), Buffer.from('"}')]);
  const long = 'x'.repeat(60);
  await assert.rejects(parsed(bytes(`${long}\n${long}`), 8, 32), SyntaxError);
  await assert.rejects(parsed(bytes(`${long}\\x${long}`), 8, 32), SyntaxError);
  const broken = Buffer.concat([Buffer.from(long), Buffer.from([0x80, 0x80, 0x80, 0x80, 0x80])]);
  await assert.rejects(parsed(bytes(broken), 8, 32), TypeError);
});

test('the bounds of a body find its long strings, and refuse much beside them', () => {
  const long = 'y'.repeat(70_000);
  const short = 'z'.repeat(50_000);
  const bytes = Buffer.from(JSON.stringify({ short, long }));
  for (const chunkBytes of [1_000, 65_536, bytes.length]) {
    const bounds = jsonBounds();
    for (let at = 0; at < bytes.length; at += chunkBytes)
      bounds.add(bytes.subarray(at, at + chunkBytes));
    const from = bytes.indexOf('y');
    assert.deepEqual(bounds.long, [{ from, to: from + 70_000 }]);
    assert.equal(bounds.problem, null);
  }
  const many = jsonBounds();
  for (let nth = 0; nth < 90; nth += 1) many.add(Buffer.from(`"${short}",`));
  assert.match(many.problem!, /^must not have more than 4194304 bytes beside its long texts$/);
  const one = jsonBounds();
  one.add(Buffer.from('{"file":"'));
  for (let nth = 0; nth < 90; nth += 1) one.add(Buffer.from(short));
  assert.equal(one.problem, null);
});
