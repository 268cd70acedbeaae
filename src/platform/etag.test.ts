import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { includesTag, tagsIn } from './etag.ts';

suite('If-None-Match', () => {
  const cases: [header: string | undefined, isNamed: boolean][] = [
    ['"a"', true],
    ['W/"a"', true],
    ['"b", W/"a"', true],
    ['"b","a"', true],
    ['*', true],
    ['"b"', false],
    ['a', false],
    ['', false],
    [undefined, false],
  ];
  for (const [header, isNamed] of cases) {
    test(`${header} › ${isNamed ? 'names' : 'does not name'} "a", weak or not`, () => {
      assert.equal(includesTag(tagsIn(header), '"a"'), isNamed);
      assert.equal(includesTag(tagsIn(header), 'W/"a"'), isNamed);
    });
  }
});
