import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { csvText, itemsTable } from './csv.ts';

describe('CSV', () => {
  it('a head, lines that end in CRLF, quotes where they are needed', () => {
    const text = csvText({
      head: ['a', 'b'],
      rows: [
        ['x, "y"', 'one\ntwo'],
        [null, 5],
        [true, ''],
      ],
    });
    assert.equal(text, 'a,b\r\n"x, ""y""","one\ntwo"\r\n,5\r\ntrue,\r\n');
  });

  // Spec: OPERATOR-14.
  it('a text that a spreadsheet would calculate gets an apostrophe; a negative number none', () => {
    for (const text of ['=1+1', '+351912345678', '-2', '@SUM(A1)', '=cmd,1']) {
      const [, [cell] = []] = parse(csvText({ head: ['a'], rows: [[text]] })) as string[][];
      assert.equal(cell, `'${text}`);
    }
    assert.equal(
      csvText({ head: ['a'], rows: [[-2], ['a=b'], ["'x"]] }),
      "a\r\n-2\r\na=b\r\n'x\r\n",
    );
  });

  it('every text is read back as it was, apart from the apostrophe', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string(), fc.string()), { minLength: 1 }), (rows) => {
        const read = parse(csvText({ head: ['a', 'b'], rows }), {
          record_delimiter: '\r\n',
        }) as string[][];
        const bare = (text: string): string => (/^'[=+\-@]/.test(text) ? text.slice(1) : text);
        const isAmbiguous = (text: string): boolean => /^'[=+\-@]/.test(text);
        fc.pre(!rows.flat().some(isAmbiguous));
        assert.deepEqual(
          read.slice(1).map((row) => row.map(bare)),
          rows,
        );
      }),
    );
  });

  it('the items of a list: a column for each member, what is no text as JSON', () => {
    const table = itemsTable(
      'a',
      'c',
    )({
      items: [
        { a: 1, b: 2, c: { d: [3] } },
        { a: '', c: null },
      ],
    });
    assert.deepEqual(table, {
      head: ['a', 'c'],
      rows: [
        [1, '{"d":[3]}'],
        ['', null],
      ],
    });
  });
});
