import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readCsv } from '../../platform/csv.ts';
import { dateText } from '../../pricing/index.ts';
import { applyRates, rateColumns, readRates } from './rates-csv.ts';

const read = async (...lines: string[]) =>
  readRates(await readCsv(Buffer.from(lines.join('\n')), rateColumns));
const head = 'listing,from,to,nightly,minNights';
const existing = [
  {
    from: '2027-05-01',
    to: '2027-05-03',
    nightly: 100,
    minNights: 3,
    arrivalDays: ['sat' as const],
  },
];
const applyIn = async (currency: string, ...lines: string[]) =>
  applyRates({ listing: 'a', currency, dates: existing }, (await read(...lines)).lines);
const apply = (...lines: string[]) => applyIn('EUR', ...lines);

suite('rates from CSV', () => {
  test('problems of lines, with their columns', async () => {
    const { problems } = await read(
      head,
      'a,2027-02-30,2027-03-01,1,',
      'a,2027-03-02,2027-03-01,1,',
      'a,2027-03-01,2027-03-01,1.5,91',
      'a,2027-03-01,2027-03-01,1000000000001,0',
      'a,2027-03-01,2027-03-01,,',
      'a,0000-01-01,9999-12-31,1,',
    );
    assert.deepEqual(
      problems.map(({ line, column }) => `${line} ${column}`),
      [
        '2 from',
        '3 to',
        '4 nightly',
        '4 minNights',
        '5 nightly',
        '5 minNights',
        '6 null',
        '7 from',
        '7 to',
      ],
    );
  });

  test('a new entry is added in its place', async () => {
    const { dates, changes, problems } = await apply(head, 'a,2027-04-30,2027-04-30,5,');
    assert.deepEqual(problems, []);
    assert.deepEqual(dates, [{ from: '2027-04-30', to: '2027-04-30', nightly: 5 }, ...existing]);
    assert.equal(changes[0]!.before, null);
  });

  test('a home has at most 10,000 entries, as in a catalog file', async () => {
    const line = (at: number) => {
      const date = dateText(30_000 + at);
      return `a,${date},${date},1`;
    };
    const lines = Array.from({ length: 10_000 }, (_, at) => line(at));
    const problemsOf = async (count: number) =>
      (await apply('listing,from,to,nightly', ...lines.slice(0, count))).problems;
    assert.deepEqual(await problemsOf(9_999), []);
    assert.deepEqual(await problemsOf(10_000), [
      { line: 2, column: 'listing', message: 'would have more than 10000 entries of dates' },
    ]);
  });

  test('an entry of the same nights takes the columns that the file has', async () => {
    const nights = 'a,2027-05-01,2027-05-03';
    assert.deepEqual((await apply('listing,from,to,nightly', `${nights},200`)).dates, [
      { ...existing[0]!, nightly: 200 },
    ]);
    const { minNights: _, ...rest } = existing[0]!;
    assert.deepEqual((await apply(head, `${nights},100,`)).dates, [rest]);
    assert.deepEqual((await apply(head, `${nights},100,3`)).changes, []);
  });

  const priced = async (currency: string, text: string) => {
    const { changes, problems } = await applyIn(
      currency,
      'listing;from;to;price',
      `a;2027-05-01;2027-05-03;${text}`,
    );
    return problems[0] ?? changes[0]!.after.nightly;
  };

  // Spec: FILE-14.
  test('prices in units of the currency become minor units', async () => {
    for (const text of ['180', '180.00', '180,00', '180.0', '0180,0']) {
      assert.equal(await priced('EUR', text), 18_000, text);
    }
    assert.equal(await priced('EUR', '0,29'), 29);
    assert.equal(await priced('EUR', '1.1'), 110);
    assert.equal(await priced('JPY', '18000'), 18_000);
    assert.equal(await priced('JPY', '18000.00'), 18_000);
    assert.equal(await priced('KWD', '12,345'), 12_345);
    assert.equal(await priced('KWD', '12'), 12_000);
    assert.equal(await priced('EUR', '10000000000'), 1_000_000_000_000);
  });

  test('a price that a person could mean otherwise is a problem, with its line and column', async () => {
    const problem = async (currency: string, text: string) => {
      const found = await priced(currency, text);
      assert.ok(typeof found === 'object', text);
      return `${found.line} ${found.column} ${found.message}`;
    };
    assert.equal(await problem('EUR', '1.180'), '2 price has more decimals than EUR, which has 2');
    assert.equal(await problem('JPY', '18.000'), '2 price has more decimals than JPY, which has 0');
    assert.equal(await problem('EUR', '10000000000,01'), '2 price is too high');
    const { problems } = await read(
      'listing,from,to,Price',
      ...['1.180.00', '€180', '-1', '1e3', '180.', '.5', '1 180'].map(
        (text) => `a,2027-05-01,2027-05-03,${text}`,
      ),
      'a,2027-05-01,2027-05-03,',
    );
    const rule =
      'must be a price in units of the currency, such as 180, 180.00 or 180,00, without a sign between thousands';
    assert.deepEqual(problems, [
      ...[2, 3, 4, 5, 6, 7, 8].map((line) => ({ line, column: 'price', message: rule })),
      { line: 9, column: null, message: 'needs nightly, price or minNights' },
    ]);
    assert.deepEqual((await read('listing,from,to,nightly,price')).problems, [
      { line: 1, column: 'price', message: 'is there beside nightly: a file has one of both' },
    ]);
  });

  test('an empty price removes the price of an entry', async () => {
    const [entry] = (await apply('listing,from,to,price,minNights', 'a,2027-05-01,2027-05-03,,2'))
      .dates;
    const { nightly: _, ...rest } = existing[0]!;
    assert.deepEqual(entry, { ...rest, minNights: 2 });
  });

  test('every other overlap is a problem', async () => {
    const overlaps = async (...lines: string[]) =>
      (await apply('listing,from,to,nightly', ...lines)).problems.map(
        ({ line, message }) => `${line} ${message}`,
      );
    const entry = 'overlaps the entry from 2027-05-01 to 2027-05-03';
    assert.deepEqual(await overlaps('a,2027-05-03,2027-05-04,1'), [`2 ${entry}`]);
    assert.deepEqual(await overlaps('a,2027-04-01,2027-06-01,1'), [`2 ${entry}`]);
    assert.deepEqual(await overlaps('a,2027-06-01,2027-06-09,1', 'a,2027-06-01,2027-06-09,2'), [
      '3 overlaps line 2',
    ]);
    assert.deepEqual(await overlaps('a,2027-06-05,2027-06-09,1', 'a,2027-06-01,2027-06-05,2'), [
      '3 overlaps line 2',
    ]);
    assert.deepEqual(await overlaps('a,2027-05-04,2027-05-04,1', 'a,2027-04-30,2027-04-30,1'), []);
  });
});
