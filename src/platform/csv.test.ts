import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readCsv } from './csv.ts';

const columns = { required: ['listing', 'from'], optional: ['reason'] } as const;
const read = (text: string | Buffer) => readCsv(Buffer.from(text as string), columns);
const problemsOf = async (text: string | Buffer) =>
  (await read(text)).problems.map(({ line, column, message }) => `${line} ${column}: ${message}`);

suite('csv', () => {
  test('rows by column, with their lines, for any order, line ends and mark', async () => {
    const { rows, problems } = await read('\uFEFFfrom,listing\r\n 1 ,a\r\n\r\n2,"b, c"\r\n');
    assert.deepEqual(problems, []);
    assert.deepEqual(rows, [
      { line: 2, cells: { from: '1', listing: 'a' } },
      { line: 4, cells: { from: '2', listing: 'b, c' } },
    ]);
  });

  test('semicolons, as spreadsheets of some countries write them', async () => {
    assert.deepEqual((await read('listing;from;reason\na;1;x, y\n')).rows, [
      { line: 2, cells: { listing: 'a', from: '1', reason: 'x, y' } },
    ]);
  });

  test('a cell of several lines keeps the lines after it right', async () => {
    const { rows } = await read('listing,from\n"a\nb",1\nc,2\n');
    assert.deepEqual(
      rows.map(({ line }) => line),
      [3, 4],
    );
  });

  test('problems with their lines', async () => {
    assert.deepEqual(await problemsOf(''), ['1 listing: is missing', '1 from: is missing']);
    assert.deepEqual(await problemsOf('listing,form\n'), [
      '1 form: is not known here; the columns are listing, from, reason',
      '1 from: is missing',
    ]);
    assert.deepEqual(await problemsOf('listing,from,from\n'), ['1 from: is there more than once']);
    assert.deepEqual(await problemsOf('listing,from\na,1\nb\nc,1,2\n'), [
      '3 null: has 1 cells; the first line has 2',
      '4 null: has 3 cells; the first line has 2',
    ]);
    assert.deepEqual(await problemsOf('listing,from\na,1\n"b,2\n'), [
      '3 null: is not CSV: check the quotation marks',
    ]);
    assert.deepEqual(await problemsOf('listing,from\na,1\nb,\0\n'), [
      '3 null: contains a NUL character',
    ]);
    const names = Array.from({ length: 5_000 }, (_, at) => `c${at}`);
    assert.equal((await problemsOf(names.join(','))).length, 5_002);
    assert.deepEqual(await problemsOf(Buffer.from('listing,from\nMaré,1\n', 'latin1')), [
      '1 null: the file is not UTF-8: save it as "CSV UTF-8"',
    ]);
  });

  test('a line without an end, and more lines than are wanted, end the reading', async () => {
    const tooLong = 'is longer than 64 KB: check the quotation marks';
    for (const line of [',x'.repeat(200_000), '\n"' + 'a'.repeat(200_000)]) {
      assert.match((await problemsOf(`listing,from${line}`)).join(), new RegExp(tooLong));
    }
    const bytes = Buffer.from('listing,from\na,1\nb,2\nc,3\n');
    assert.equal((await readCsv(bytes, columns, 3)).rows.length, 3);
    const { rows, problems } = await readCsv(bytes, columns, 2);
    assert.deepEqual([rows.length, problems[0]?.line], [0, 4]);
  });

  test('other work runs meanwhile', async () => {
    const bytes = Buffer.from(`listing,from\n${'a,1\n'.repeat(50_000)}`);
    let isOver = false;
    let between = 0;
    const reading = readCsv(bytes, columns).finally(() => (isOver = true));
    while (!isOver) {
      between += 1;
      await new Promise(setImmediate);
    }
    assert.equal((await reading).rows.length, 50_000);
    assert.ok(between >= 10, `${between}`);
  });
});
