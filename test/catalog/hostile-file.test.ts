/** Broken, hostile and unusual catalog files: each problem with its place and line, in bounded memory. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { furtherProblems } from '../../src/catalog/index.ts';
import { readWhole, sourceOf } from '../harness/catalog-files.ts';

const wrongSlug =
  'must be lower-case letters and digits, with single hyphens between them, as sea-view';

const head = `{
  "format": "latchkey-catalog/1",
  "catalog": { "slug": "a", "name": "A", "discovery": "brand" }`;
const home = (slug: string) =>
  `{ "slug": "${slug}", "name": "N", "currency": "EUR", "rates": { "nightly": 1 } }`;
const withListings = (...texts: string[]) => `${head},
  "listings": [
${texts.join(',\n')}
  ]
}`;

async function problemsOf(content: string | Buffer, chunkBytes?: number): Promise<string[]> {
  const { first } = await readWhole(sourceOf(content, chunkBytes));
  return first.map(({ pointer, line, message }) => `${line} ${pointer}: ${message}`);
}

const bytes = (...pieces: (string | number[])[]): Buffer =>
  Buffer.concat(pieces.map((piece) => Buffer.from(piece as string)));

const deep = (opening: string, closing: string, depth: number) =>
  `${opening.repeat(depth)}1${closing.repeat(depth)}`;

/** Files, and what is wrong with them. */
const files: Record<string, [content: string | Buffer, ...problems: string[]]> = {
  'an empty file': ['', '1 : is empty'],
  'only blanks': [' \n\n ', '3 : ends before the document is complete'],
  'two documents': [`${withListings()} {}`, '7 : has text after its end: {'],
  'text after the end': [`${withListings()}\nhello`, '8 : has text after its end: h'],
  'truncated in a listing': [
    withListings(home('a'), home('b')).slice(0, -30),
    '6 /listings/1: ends before the document is complete',
  ],
  'truncated between listings': [
    `${head}, "listings": [${home('a')},`,
    '3 /listings/1: ends before the document is complete',
  ],
  'truncated after a name': [
    `${head},\n"listings"`,
    '4 /listings: ends before the document is complete',
  ],
  'a comma too many': [
    withListings(home('a'), ''),
    '7 /listings/1: is not JSON: expected a value, found ]',
  ],
  'a comma too few': [
    `${head}, "listings": [\n${home('a')}\n${home('b')}]}`,
    '5 /listings/1: is not JSON: expected , or ], found {',
  ],
  'a bracket of the wrong kind': [
    withListings('{ "slug": [1 }'),
    '5 /listings/0: is not JSON: } closes nothing',
  ],
  'a listing that is not JSON, and one after it that has a problem': [
    withListings('{ "slug": "a",\n  "name": N }', home('b').replace('"N"', '5')),
    '6 /listings/0: is not JSON',
    '7 /listings/1/name: must be a string',
  ],
  'a line break in a string': [
    withListings('{ "slug": "a",\n\n "name": "N\nN" }', home('B')),
    '7 /listings/0: is not JSON',
    `9 /listings/1/slug: ${wrongSlug}`,
  ],
  'a comment': [`// homes\n${withListings()}`, '1 : is not JSON: expected an object, found /'],
  'invalid UTF-8 in a listing': [
    bytes(`${head}, "listings": [\n{ "slug": "a",\n"name": "`, [0xc3, 0x28], '" }]}'),
    '5 /listings/0: is not UTF-8',
  ],
  'half of a surrogate pair as UTF-8': [
    bytes(withListings(home('a')).replace('"N"', '"'), [0xed, 0xa0, 0x80]),
    '7 /listings/0: ends before the document is complete',
  ],
  'Latin-1': [
    Buffer.from(withListings(home('a').replace('"N"', '"Maré"')), 'latin1'),
    '5 /listings/0: is not UTF-8',
  ],
  'UTF-16, little endian': [Buffer.from(`\uFEFF${withListings()}`, 'utf16le'), '1 : is not UTF-8'],
  'UTF-16, big endian': [
    Buffer.from(`\uFEFF${withListings()}`, 'utf16le').swap16(),
    '1 : is not UTF-8',
  ],
  'UTF-16 without a mark': [Buffer.from(withListings(), 'utf16le'), '1 : is not UTF-8'],
  'a byte order mark': [bytes([0xef, 0xbb, 0xbf], withListings(home('a')))],
  'a listing nested 100,000 deep': [
    withListings(home('a'), `{ "slug":\n${deep('[', ']', 100_000)} }`, home('B')),
    '6 /listings/1: is nested more than 64 deep',
    `8 /listings/2/slug: ${wrongSlug}`,
  ],
  'objects nested 65 deep': [
    withListings(deep('{"a":', '}', 65)),
    '5 /listings/0: is nested more than 64 deep',
  ],
  'a listing nested deep without an end': [
    withListings('['.repeat(1_000_000)),
    '7 /listings/0: ends before the document is complete',
  ],
  'a member twice': [
    withListings(`{ "slug": "a", "name": "N", "currency": "EUR",
      "rates": { "nightly": 1,
        "nightly": 2 } }`),
    '7 /listings/0/rates/nightly: is given more than once',
  ],
  'a member twice, once written with an escape': [
    withListings(home('a').replace('"name"', '"na\\u006de": "M",\n"name"')),
    '6 /listings/0/name: is given more than once',
  ],
  'a list twice': [
    `${head},\n"listings": [${home('a')}],\n"listings": [${home('b')}]}`,
    '5 /listings: is given more than once',
  ],
  'the head twice': [
    `${head},\n"catalog": { "slug": "b", "name": "B", "discovery": "brand" }}`,
    '4 /catalog: is given more than once',
  ],
  'an unknown member with a list, and one with a pointer in its name': [
    `${head},\n"extra": [1, {"a": [2]}, 3],\n"a/b~c": 1}`,
    '4 /extra: is not known here',
    '5 /a~1b~0c: is not known here',
  ],
  'no head': [
    `{\n"listings": [${home('a')}]}`,
    '1 /format: is required',
    '1 /catalog: is required',
  ],
  'a wrong value in the head': [
    head.replace('"A"', '5,\n"collections": [\n{ "slug": "c", "name": 7 }]') + '}',
    '3 /catalog/name: must be a string',
    '5 /catalog/collections/0/name: must be a string',
  ],
  'the head as a list': [
    '{ "format": "latchkey-catalog/1",\n"catalog": [{}] }',
    '1 /catalog: must be an object',
  ],
  'an ID that is none': [
    withListings(home('a').replace('{', '{ "listingId": "12",')),
    '5 /listings/0/listingId: must be a UUID',
  ],
  'a list that is none': [`${head},\n"blocks": {}}`, '4 /blocks: must be an array'],
  'numbers too large': [
    withListings(
      home('a').replace('1', '1e400'),
      home('b').replace('1', '9007199254740993'),
      home('c').replace('1', '9'.repeat(10_000)),
    ),
    '5 /listings/0/rates/nightly: must be an integer',
    '6 /listings/1/rates/nightly: must be <= 1000000000000',
    '7 /listings/2/rates/nightly: must be an integer',
  ],
  'numbers that JSON does not have': [
    withListings(home('a').replace('1', '01'), home('b').replace('1', 'NaN')),
    '5 /listings/0: is not JSON',
    '6 /listings/1: is not JSON',
  ],
  'characters that cannot be stored': [
    withListings(
      `{ "slug": "a", "name": "N\\u0000", "currency": "EUR", "rates": {},\n"blurb": "\\ud83d" }`,
      `{ "slug": "b", "name": "\\ud83c\\udfe0", "currency": "EUR", "rates": {} }`,
    ),
    '5 /listings/0/name: contains a character that cannot be stored',
    '6 /listings/0/blurb: contains a character that cannot be stored',
  ],
  'a prototype as a member': [
    withListings(home('a').replace('{', '{ "__proto__": { "x": 1 },')),
    '5 /listings/0/__proto__: is not known here',
  ],
  'a listing that is none': [
    withListings('5', 'null', '[]'),
    '5 /listings/0: must be an object',
    '6 /listings/1: must be an object',
    '7 /listings/2: must be an object',
  ],
  'a slug twice': [
    withListings(home('a'), home('b'), home('a')),
    '7 /listings/2/slug: repeats /listings/0/slug',
  ],
};

suite('catalog file › hostile and broken files', () => {
  for (const [name, [content, ...problems]] of Object.entries(files)) {
    test(name, async () => {
      assert.deepEqual(await problemsOf(content), problems);
      if (content.length > 10_000) return;
      assert.deepEqual(await problemsOf(content, 1), problems, 'byte by byte');
    });
  }

  test('a listing larger than 4 MB is refused, and what follows is read', async () => {
    const large = `{ "slug": "a", "description": "${'x'.repeat(5 * 1024 * 1024)}" }`;
    assert.deepEqual(await problemsOf(withListings(large, home('B'))), [
      '5 /listings/0: is larger than 4 MB',
      `6 /listings/1/slug: ${wrongSlug}`,
    ]);
  });

  test('a listing with more than 100,000 values is refused, and what follows is read', async () => {
    const large = `{ "slug": "a", "amenities": [${'1,'.repeat(100_000)}1] }`;
    assert.deepEqual(await problemsOf(withListings(large, home('B'))), [
      '5 /listings/0: has more than 100000 values',
      `6 /listings/1/slug: ${wrongSlug}`,
    ]);
  });

  test('of a file with too many problems, the rest is not read', async () => {
    const wrong = Array.from({ length: 12_000 }, () => home('A'));
    const whole = await readWhole(sourceOf(withListings(...wrong)));
    assert.deepEqual([whole.first.length, whole.count, whole.isStopped], [100, 10_000, true]);
    assert.equal(furtherProblems(whole), 'and 9900 more problems, found before reading stopped');
  });

  // Spec: FILE-4.
  test('of many problems, the first 100 are kept and all are counted', async () => {
    const wrong = Array.from({ length: 2_000 }, () => home('A'));
    const { first, count } = await readWhole(sourceOf(withListings(...wrong)));
    assert.deepEqual([first.length, count], [100, 2_000]);
    assert.deepEqual(first[99], {
      pointer: '/listings/99/slug',
      line: 104,
      message: wrongSlug,
    });
  });

  test('members in any order: listings wait for the head, blocks for the listings', async () => {
    const block = '{ "listing": "a", "from": "2027-01-01", "to": "2027-01-02" }';
    const catalog = `"catalog": { "slug": "a", "name": "A", "discovery": "brand",
      "collections": [{ "slug": "coast", "name": "Coast" }] }`;
    const listing = home('a').replace('{', '{ "collection": "coast",');
    const source = sourceOf(`{ "blocks": [${block}],
      "promotions": [{ "code": "P", "label": "P", "percent": 1, "listings": ["a"] }],
      "listings": [${listing}], ${catalog}, "format": "latchkey-catalog/1" }`);
    const { first, batches } = await readWhole(source);
    assert.deepEqual(first, []);
    assert.deepEqual(
      batches.map(({ list }) => list),
      ['head', 'listings', 'blocks', 'promotions'],
    );
    assert.equal(source.reads, 3);
    const usual = sourceOf(`{ "format": "latchkey-catalog/1", ${catalog},
      "listings": [${listing}], "blocks": [${block}] }`);
    assert.equal((await readWhole(usual)).count, 0);
    assert.equal(usual.reads, 1);
  });

  test('any document is split as JSON.parse reads it, wherever the chunks end', async () => {
    const members = fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1, maxKeys: 4 });
    await fc.assert(
      fc.asyncProperty(members, fc.integer({ min: 1, max: 40 }), async (document, chunk) => {
        const text = JSON.stringify(document, null, 1);
        const { first } = await readWhole(sourceOf(text, chunk));
        const unknown = Object.keys(JSON.parse(text) as object).map(
          (name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
        );
        const reported = first
          .filter(({ message }) => message === 'is not known here')
          .map(({ pointer }) => pointer);
        assert.deepEqual(reported, unknown);
      }),
    );
  });
});
