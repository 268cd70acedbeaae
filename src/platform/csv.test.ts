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

  const expected = [
    { cells: { listing: 'a', from: '1', reason: 'x' } },
    { cells: { listing: 'b', from: '2', reason: '' } },
  ];
  const forms: Readonly<Record<string, string>> = {
    'a first line sep=;': 'sep=;\r\nlisting;from;reason\r\na;1;x\r\nb;2;\r\n',
    'a mark, and a first line sep=; with the separators of its row':
      '\uFEFF"sep=;";;\r\nlisting;from;reason\r\na;1;x\r\nb;2;\r\n',
    'a first line that names the comma': 'SEP=,\nlisting,from,reason\na,1,x\nb,2,\n',
    tabs: 'listing\tfrom\treason\na\t1\tx\nb\t2\t\n',
    'a first line that names the tab': 'sep=\t\nlisting\tfrom\treason\na\t1\tx\nb\t2\t\n',
    'rows of separators alone': ';;\nlisting;from;reason\n;;\na;1;x\n;;\nb;2;\n;;\n;;\n',
    'rows of tabs alone': '\t\t\nlisting\tfrom\treason\na\t1\tx\n\t\t\nb\t2\t\n',
    'empty columns at the end': 'listing,from,reason,,\na,1,x,,\nb,2,,,\n',
    'heads in any case with blanks': ' LISTING , From,reason \na,1,x\nb,2,\n',
    'no end of the last line, and line ends of old programs': 'listing,from,reason\ra,1,x\rb,2,',
  };
  for (const [name, text] of Object.entries(forms)) {
    // Spec: FILE-7.
    test(`as spreadsheet programs save it: ${name}`, async () => {
      const { rows, problems } = await read(text);
      assert.deepEqual(problems, []);
      assert.deepEqual(
        rows.map(({ cells }) => ({ cells })),
        expected,
      );
    });
  }

  test('lines are counted from the first of the file, with sep= and rows of separators', async () => {
    assert.deepEqual(await problemsOf('sep=;\nlisting;form\n'), [
      '2 form: is not known here; the columns are listing, from, reason',
      '2 from: is missing',
    ]);
    assert.deepEqual(await problemsOf('sep=;\n;\nlisting;from;\na;1;\n;;\nb;1;2\n'), [
      '6 null: has 3 cells; the head has 2',
    ]);
  });

  test('two columns of which a file has one', async () => {
    const either = { ...columns, exclusive: ['from', 'reason'] } as const;
    const { problems } = await readCsv(Buffer.from('listing,Reason,FROM\n'), either);
    assert.deepEqual(problems, [
      { line: 1, column: 'reason', message: 'is there beside from: a file has one of both' },
    ]);
  });

  test('UTF-16, with or without its mark, is refused in words', async () => {
    const text = 'listing\tfrom\na\t1\n';
    const utf16 = Buffer.from(text, 'utf16le');
    const marked = Buffer.from(`\uFEFF${text}`, 'utf16le');
    const bigEndian = Buffer.from(marked).swap16();
    for (const bytes of [utf16, marked, bigEndian, Buffer.from(utf16).swap16()]) {
      assert.deepEqual(await problemsOf(bytes), [
        '1 null: the file is UTF-16, not UTF-8: save it as "CSV UTF-8", not as "Unicode text"',
      ]);
    }
  });

  test('characters that a browser could not read are refused', async () => {
    assert.deepEqual(await problemsOf('listing,from\nMar\uFFFD,1\n'), [
      '1 null: the file has characters that cannot be read: save it as "CSV UTF-8"',
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
      '3 null: has 1 cells; the head has 2',
      '4 null: has 3 cells; the head has 2',
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
