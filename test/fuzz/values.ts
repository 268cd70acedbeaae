/** Valid and invalid values for the schemas of the contract. */
import { daysAhead } from '../harness/partner.ts';
import type { Chance } from '../harness/chance.ts';
import type { Schema } from './contract.ts';
import type { Known } from './known.ts';

/** The sources of values. */
export interface Making {
  chance: Chance;
  known: Known;
}

const suffixes = ['', '+failed', '+uncertain', '+sold_out', '+quote_expired', '+changed'];

/** Values by member name that match a pattern or get a request further. */
const byName: Readonly<Record<string, (making: Making) => unknown>> = {
  adults: ({ chance }) => chance.integer(1, 2),
  children: () => 0,
  pets: () => 0,
  infants: () => 0,
  phone: ({ chance }) => `+3519${chance.integer(10_000_000, 99_999_999)}`,
  email: ({ chance }) => `ada${chance.pick(suffixes)}@example.com`,
  code: ({ chance }) => chance.pick(['WELCOME10', 'NOBODY', 'Ä', '123456']),
  referrerOrigin: () => 'https://partner.example.com',
  paymentMethodId: ({ chance }) =>
    chance.pick(['pm_any', 'pm_simulated_declined', 'pm_simulated_requires_action']),
  termsVersion: ({ known }) => known.termsVersion,
  partnerReference: ({ chance }) => `order-${chance.integer(1, 50)}`,
  cursor: ({ chance, known }) => known.value('cursor', chance) ?? 'AAAA',
  slug: ({ chance }) => `home-${chance.integer(1, 9)}`,
  currency: () => 'EUR',
  timeZone: () => 'Europe/Lisbon',
  password: () => 'a long enough password',
  // Nothing answers there.
  url: ({ chance }) => chance.pick(['https://127.0.0.1:1/a.ics', 'http://localhost:1/hook', 'x']),
  file: fileText,
  resource: () => undefined,
  scope: () => 'distribution.listing.read',
};

/** A spreadsheet, a calendar, or a catalog that is not one. */
function fileText({ chance, known }: Making): string {
  const listing = known.value('slug', chance, 'string');
  const [from, to] = [chance.integer(1, 400), chance.integer(1, 400)].toSorted((a, b) => a - b);
  const nights = `${daysAhead(from!)},${daysAhead(to!)}`;
  const days = nights.replaceAll('-', '').split(',');
  return chance.pick([
    `listing,from,to,nightly\n${listing},${nights},12345\n`,
    `listing,from,to,reason\n${listing},${nights},"Roof, new"\n`,
    `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:a\r\nDTSTART;VALUE=DATE:${days[0]}\r\nDTEND;VALUE=DATE:${days[1]}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`,
    '{"format":"latchkey-catalog/1","catalog":{"slug":"fuzzed","name":"Fuzzed","discovery":"brand"}}',
    '{"format":"latchkey-catalog/1","listings":[{},{"slug":1}]}',
  ]);
}

const formats: Readonly<Record<string, (chance: Chance) => string>> = {
  uuid: (chance) => chance.uuid(),
  date: (chance) => daysAhead(chance.integer(1, 400)),
  'date-time': (chance) => new Date(Date.now() - chance.integer(0, 3_600_000)).toISOString(),
};

function fittingText({ minLength = 1, maxLength = 40, format }: Schema, chance: Chance): string {
  const formatted = formats[format ?? '']?.(chance);
  return formatted ?? 'x'.repeat(chance.integer(minLength, Math.min(maxLength, 40)));
}

type MakeOfType = (schema: Schema, making: Making, name: string) => unknown;

const byType: Readonly<Record<string, MakeOfType>> = {
  string: (schema, { chance }) => fittingText(schema, chance),
  integer: ({ minimum = 0, maximum = 100 }, { chance }) => chance.integer(minimum, maximum),
  number: ({ minimum = 0, maximum = 100 }, { chance }) => chance.integer(minimum, maximum),
  boolean: () => true,
  object: (schema, making) => fittingObject(schema, making),
  array: ({ items }, making, name) => (items ? [fitting(items, making, name)] : []),
};

function fittingObject(schema: Schema, making: Making): Record<string, unknown> {
  const { chance, known } = making;
  const members = Object.entries(schema.properties ?? {}).filter(
    ([name]) => schema.required?.includes(name) || chance.happens(0.4),
  );
  const made = Object.fromEntries(members.map(([name, one]) => [name, fitting(one, making, name)]));
  const { checkIn, checkOut } = known.stay;
  const isStay = 'checkIn' in made && chance.happens(0.8);
  return isStay ? { ...made, checkIn, checkOut } : made;
}

/** A valid value, often the ID of an existing resource. */
export function fitting(schema: Schema, making: Making, name = ''): unknown {
  const { chance, known } = making;
  const { type } = schema.anyOf?.[0] ?? schema;
  const isKnown = chance.happens(0.9) ? known.value(name, chance, type) : undefined;
  if (isKnown !== undefined) return isKnown;
  const named = byName[name];
  if (named) return named(making);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return chance.pick(schema.enum);
  if (schema.anyOf) return fitting(chance.pick(schema.anyOf), making, name);
  return byType[schema.type ?? '']?.(schema, making, name) ?? null;
}

const deep = (depth: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
};

/** Texts that often cause bugs. */
export const oddTexts: readonly string[] = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udc00\ud800',
  '\u202eabc',
  '\ufeff',
  '\u2028\u2029',
  '\u0085',
  'e\u0301\u0301\u0301\u0301',
  '👩‍👩‍👧‍👦',
  'ﷺ'.repeat(50),
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'NaN',
  "' OR 1=1 --",
  '"; DROP TABLE bookings; --',
  '$1',
  '%s%n%x',
  '%00',
  '%zz',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '${7*7}',
  '{{7*7}}',
  'a'.repeat(256),
  'a'.repeat(15_000),
  '9'.repeat(400),
  '1e400',
  '-1',
  '2027-02-30',
  '0000-01-01',
  '9999-12-31',
  '10000-01-01',
  '2027-13-01',
  '2027-01-01T00:00:00Z',
  '2027-06-30T23:59:60Z',
  '0001-01-01T00:00:00+23:59',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  'urn:uuid:00000000-0000-4000-8000-000000000000',
  '{00000000-0000-4000-8000-000000000000}',
  '🇵🇹'.repeat(20),
];

const oddValues: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  0.5,
  1e308,
  -1e308,
  5e-324,
  2 ** 31,
  2 ** 31 - 1,
  2 ** 53,
  -(2 ** 63),
  [],
  [[]],
  {},
  { length: 1 },
  { toString: 'x' },
  { valueOf: null, toString: null },
  { toJSON: 1 },
  deep(40),
  deep(2_000),
  Array.from({ length: 3_000 }, () => 0),
  Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`m${at}`, at])),
];

/** Just inside and just outside the bounds of a schema. */
function bounds({ minimum, maximum, minLength, maxLength }: Schema): unknown[] {
  const around = (bound: number | undefined) =>
    bound === undefined ? [] : [bound - 1, bound, bound + 1];
  const lengths = [...around(minLength), ...around(maxLength)].filter((length) => length >= 0);
  return [
    ...around(minimum),
    ...around(maximum),
    ...lengths.map((length) => 'a'.repeat(length)),
    ...lengths.map((length) => '🏠'.repeat(length)),
  ];
}

/** A valid or invalid value. */
export function odd(schema: Schema, chance: Chance): unknown {
  const near = bounds(schema);
  if (near.length > 0 && chance.happens(0.4)) return chance.pick(near);
  return chance.happens(0.5) ? chance.pick(oddTexts) : chance.pick(oddValues);
}
