import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readCsv } from './csv.ts';

const columns = { required: ['listing', 'from'], optional: ['reason'] } as const;
const read = (text: string | Buffer) => readCsv(Buffer.from(text as string), columns);
const problemsOf = (text: string | Buffer) =>
  read(text).problems.map(({ line, column, message }) => `${line} ${column}: ${message}`);

suite('csv', () => {
  test('rows by column, with their lines, whatever the order, line ends and mark', () => {
    const { rows, problems } = read('\uFEFFfrom,listing\r\n 1 ,a\r\n\r\n2,"b, c"\r\n');
    assert.deepEqual(problems, []);
    assert.deepEqual(rows, [
      { line: 2, cells: { from: '1', listing: 'a' } },
      { line: 4, cells: { from: '2', listing: 'b, c' } },
    ]);
  });

  test('semicolons, as spreadsheets of some countries write them', () => {
    assert.deepEqual(read('listing;from;reason\na;1;x, y\n').rows, [
      { line: 2, cells: { listing: 'a', from: '1', reason: 'x, y' } },
    ]);
  });

  test('a cell of several lines keeps the lines after it right', () => {
    const { rows } = read('listing,from\n"a\nb",1\nc,2\n');
    assert.deepEqual(
      rows.map(({ line }) => line),
      [3, 4],
    );
  });

  test('problems with their lines', () => {
    assert.deepEqual(problemsOf(''), ['1 listing: is missing', '1 from: is missing']);
    assert.deepEqual(problemsOf('listing,form\n'), [
      '1 form: is not known here; the columns are listing, from, reason',
      '1 from: is missing',
    ]);
    assert.deepEqual(problemsOf('listing,from,from\n'), ['1 from: is there more than once']);
    assert.deepEqual(problemsOf('listing,from\na,1\nb\nc,1,2\n'), [
      '3 null: has 1 cells; the first line has 2',
      '4 null: has 3 cells; the first line has 2',
    ]);
    assert.deepEqual(problemsOf('listing,from\na,1\n"b,2\n'), [
      '3 null: is not CSV: check the quotation marks',
    ]);
    assert.deepEqual(problemsOf('listing,from\na,1\nb,\0\n'), ['3 null: contains a NUL character']);
    const names = Array.from({ length: 150_000 }, (_, at) => `c${at}`);
    assert.equal(problemsOf(names.join(',')).length, 150_002);
    assert.deepEqual(problemsOf(Buffer.from('listing,from\nMaré,1\n', 'latin1')), [
      '1 null: the file is not UTF-8: save it as "CSV UTF-8"',
    ]);
  });
});
