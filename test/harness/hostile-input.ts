/** Inputs that would keep others waiting if a service worked through them in one go. */

const day = (nth: number): string =>
  new Date(Date.UTC(1950, 0, 1) + nth * 86_400_000).toISOString().slice(0, 10);
const monthDay = (nth: number): string => day(nth % 365).slice(5);

const listOf = <T>(length: number, one: (nth: number) => T): T[] =>
  Array.from({ length }, (_, nth) => one(nth));

const members = (count: number): Record<string, number> =>
  Object.fromEntries(listOf(count, (nth) => [`x${nth}`, nth]));

const home = { slug: 'a', name: 'A', currency: 'EUR' };
const yearly = (count: number) =>
  listOf(count, (nth) => ({
    name: 'S',
    from: monthDay(nth),
    to: monthDay(nth),
    minNights: 2,
    priority: nth % 1_000,
  }));

/** Homes that are large, or wrong in many places. */
export const hostileHomes: Readonly<Record<string, object>> = {
  '10,000 unknown members': { ...home, rates: {}, ...members(10_000) },
  '400 objects of 199 unknown members': {
    ...home,
    rates: { dates: listOf(400, () => members(199)) },
  },
  '10,000 dates with unknown members': {
    ...home,
    rates: { dates: listOf(10_000, (nth) => ({ from: day(nth), to: day(nth), x: 1, y: 2 })) },
  },
  '10,000 wrong dates': {
    ...home,
    rates: { dates: listOf(10_000, () => ({ from: 'x', to: 'y', nightly: 'z' })) },
  },
  '10,000 dates that allow no stay': {
    ...home,
    rates: {
      dates: listOf(10_000, (nth) => ({
        from: day(nth),
        to: day(nth),
        minNights: 9,
        maxNights: 2,
      })),
    },
  },
  '1,000 seasons that do not overlap': {
    ...home,
    rates: {
      seasons: listOf(1_000, (nth) => ({
        name: 'S',
        from: day(nth * 2),
        to: day(nth * 2),
        nightly: 1,
      })),
    },
  },
  'a date in each of 7,000 years, and 1,000 yearly seasons': {
    ...home,
    rates: {
      nightly: 1,
      dates: listOf(7_000, (nth) => ({
        from: `${1_900 + nth}-01-06`,
        to: `${1_900 + nth}-01-06`,
        minNights: 2,
      })),
      seasons: yearly(1_000),
    },
  },
  'lists that are much too long': {
    ...home,
    rates: {},
    images: listOf(9_000, () => ({ url: 1 })),
    policies: listOf(9_000, () => ({})),
    fees: listOf(9_000, () => ({ x: 1 })),
  },
};

const head =
  '{"format":"latchkey-catalog/1","catalog":{"slug":"a","name":"A","discovery":"brand"},"listings":[';
const file = (listings: string): string => `${head}${listings}]}`;

interface HostileCatalog {
  text: string;
  /** How many problems are found in it. */
  problems: number;
  /** In how many slices it is read at least. */
  slices: number;
}

/** Catalog files that are large, or wrong in many places. */
export const hostileCatalogs: Readonly<Record<string, HostileCatalog>> = {
  '200,000 empty listings': {
    text: file(Array(200_000).fill('{}').join(',')),
    problems: 10_000,
    slices: 300,
  },
  '1,000,000 unknown members': {
    text: JSON.stringify(members(1_000_000)),
    problems: 10_000,
    slices: 150,
  },
  'a member 40,000 times': {
    text: file(`{${Array(40_000).fill('"a":1').join(',')}}`),
    problems: 105,
    slices: 2,
  },
  '40,000 strings that cannot be stored': {
    text: file(`{"x":[${Array(40_000).fill('"\\u0000"').join(',')}]}`),
    problems: 101,
    slices: 2,
  },
  '40,000 places that are not JSON': {
    text: file(`{${'"a":N,'.repeat(40_000)}}`),
    problems: 1,
    slices: 1,
  },
  'a home of 4,000,000 items': {
    text: file(`{"x":[${'1,'.repeat(4_000_000)}1]}`),
    problems: 1,
    slices: 15,
  },
  '20,000 sound homes': {
    text: file(
      listOf(20_000, (nth) =>
        JSON.stringify({ ...home, slug: `s${nth}`, rates: { nightly: 1 } }),
      ).join(','),
    ),
    problems: 0,
    slices: 300,
  },
};

/** Bodies in JSON that no operation takes, and what each is told. */
export const hostileBodies: Readonly<Record<string, { text: string; message: string }>> = {
  'nested 33 deep': {
    text: `${'['.repeat(33)}${']'.repeat(33)}`,
    message: 'must not be nested more than 32 deep',
  },
  'nested without an end': {
    text: '{"a":'.repeat(2_000),
    message: 'must not be nested more than 32 deep',
  },
  'a member twice': { text: '{"a":1,"a":1}', message: 'is given more than once' },
  'a member twice, once written with an escape': {
    text: '{"name":1,"n\\u0061me":1}',
    message: 'is given more than once',
  },
};

/** Large bodies of the operations that take such, with more values than any needs. */
export const largeBodies: Readonly<Record<string, string>> = {
  '250,000 unknown members': JSON.stringify(members(250_000)),
  '2,000,000 items': `{"listing":[${'1,'.repeat(2_000_000)}1]}`,
  '1,000,000 empty objects': `{"listing":[${'{},'.repeat(1_000_000)}1]}`,
};
