/** The words that were given up (CONTRIBUTING.md, "Words"). */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';

const project = path.join(import.meta.dirname, '..');
const sources = globSync('{src,console/src,packages/partner/src}/**/*.{ts,tsx}', { cwd: project });
// The table itself names them.
const documents = globSync(['*.md', 'docs/**/*.md'], { cwd: project }).filter(
  (file) => file !== 'CONTRIBUTING.md',
);

// This one names them; in the folder of the generators are their packages, and what they have generated.
const tests = globSync('{test,bench}/**/*.ts', { cwd: project }).filter(
  (file) => file !== 'test/words.test.ts' && !file.startsWith('test/generators/'),
);

/** A word, and the files in which it means something that has another word. */
const givenUp: readonly { word: RegExp; instead: string; files: readonly string[] }[] = [
  {
    word: /\breplay/i,
    instead: 'repeat',
    files: sources.filter((file) => /^src\/(api|access|bookings|inventory|signals)\//.test(file)),
  },
  {
    word: /\bvisitors?\b/i,
    instead: 'guest, partner or caller',
    // The text of a home in the examples is for its guests.
    files: [...sources, ...documents].filter((file) => !file.includes('/examples/')),
  },
  {
    word: /\b(no|likely)?wish(es|ed|Of)?\b/i,
    instead: 'request or input',
    files: [...sources, ...documents, ...tests],
  },
  {
    word: /\b(class|interface|type) \w+(Manager|Helper|Utils)\b/,
    instead: 'what the value is',
    files: sources,
  },
  {
    word: /\b(interface|type|class) (Following|Opened|Recent|Keyed|Maybe|Sources)\b/,
    instead: 'what the value is',
    files: sources,
  },
  {
    word: /\b(interface|type|class) \w*Parts\b/,
    instead: 'context, of dependencies; clauses, of SQL; what they are, of all else',
    files: sources,
  },
  {
    // The background task and its messages keep the names that operators search for.
    word: /\b(un)?settle[sr]?\b(?! accounts)|\bsettl(ing|ed)\b|(?<!all)Settle[dr]|Settlement(Facts|Act|Context)/,
    instead: 'collection, of later instalments; else what is done',
    files: sources.filter((file) => /^src\/(payments|inventory|api|platform)\//.test(file)),
  },
  {
    word: /\b(move|write)(Booking|Move)\b|\bMove(Guard|Values|Verdict)\b|\bmove-booking\b/,
    instead: 'transition, of a state',
    files: sources,
  },
  {
    word: /\bmoves? a (checkout|request|booking)\b(?! to)/,
    instead: 'transition, of a state',
    files: [...sources, ...documents],
  },
  {
    word: /\bAdministration of\b/,
    instead: 'what staff do',
    files: [...sources, ...documents],
  },
  {
    // A file is what is read or written; `…InFull` is everything about one thing.
    word: /\b(Reservation|Booking|Account|Listing|Promotion|Application|Checkout|Delivery|Staff|Payment|LoggedRequest)Files?\b/,
    instead: 'in full, of everything about one thing',
    files: sources,
  },
  {
    // A record is what the operator's own system gets.
    word: /\b(Catalog|Collection|Booking|Delivery|Request|Listing)Records?\b|^\s*<Records\b/,
    instead: 'stored catalog, table: what it is',
    files: sources,
  },
  {
    word: /\b(interface|type) (?!Listing|Catalog|Known)\w*Place(Set)?\b|\bplaceOf: /,
    instead:
      'position of a page, sort key, offset; a place is where a home is sold, or a member of a request',
    files: sources,
  },
  {
    word: /, place\)(: \w+)? =>|\w\[place\]!|\bplace [%<>+-] |\bplace: number\b|\bAS place\b|AS \w+ \([\w, ]+, place\)/,
    instead: 'index of an item in a list; in SQL, ordinal',
    files: [...sources, ...tests],
  },
  {
    word: /\b(List|Member|wordsOf)Places?\b|\bplaceWords\b|\bfunction Place\b|\b(noncePlace)\b/,
    instead: 'list area, member: what it is',
    files: sources,
  },
];

const nameless = new Set([
  'utils',
  'helpers',
  'common',
  'misc',
  'maybe',
  'keyed',
  'in-time',
  'recent',
  'calls',
  'opened',
  'following',
  'parts',
  // What people of the operator do is in `staff`.
  'administration',
  'manage',
]);

describe('the words', () => {
  for (const { word, instead, files } of givenUp) {
    it(`${word.source} is ${instead}`, () => {
      const found = files.flatMap((file) =>
        readFileSync(path.join(project, file), 'utf8')
          .split('\n')
          .flatMap((line, at) => (word.test(line) ? [`${file}:${at + 1}: ${line.trim()}`] : [])),
      );
      assert.deepEqual(found, []);
    });
  }

  it('days and instants of the console get their format in one module', () => {
    const formats =
      /Intl\.DateTimeFormat|toISOString|toLocale(Date|Time)String|toLocaleString\([^)]*(dateStyle|month)/;
    const found = sources.filter(
      (file) =>
        file.startsWith('console/') &&
        file !== 'console/src/base/words/dates.ts' &&
        formats.test(readFileSync(path.join(project, file), 'utf8')),
    );
    assert.deepEqual(found, []);
  });

  it('an import climbs at most three folders', () => {
    const climbing = /from '(\.\.\/){4}/;
    const found = [...sources, ...tests].filter((file) =>
      climbing.test(readFileSync(path.join(project, file), 'utf8')),
    );
    assert.deepEqual(found, []);
  });

  it('a file or folder is named for what it holds', () => {
    const found = [...sources, ...tests].filter((file) =>
      file
        .split(/[/\\]/)
        .some(
          (part) =>
            part.startsWith('manage-') || nameless.has(part.replace(/(\.test)?\.tsx?$/, '')),
        ),
    );
    assert.deepEqual(found, []);
  });
});
