/** Checks the documents: what they name exists, and what must be named is named. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { stepsOfKind } from '../src/api/kinds.ts';
import { errors, reasons, tokenErrors } from '../src/contract/errors.ts';
import { eventTypes } from '../src/contract/events.ts';
import { operationIds } from '../src/contract/partner/operations.ts';
import { scopes } from '../src/contract/scopes.ts';
import {
  checkoutStates,
  failureReasons,
  materializations,
  paymentSetupFailures,
  paymentSetupStates,
  requestStates,
  reservationStates,
} from '../src/contract/states.ts';
import { wireVersion } from '../src/contract/wire.ts';
import { logSections } from '../src/platform/log-messages.ts';
import { backgroundTasks } from '../src/program/background-tasks.ts';
import { suffixOutcomes } from '../src/simulation/outcomes.ts';
import { simulatedCatalog } from '../src/build/simulated-catalog.ts';
import { textsOfCalls } from './harness/source-texts.ts';

const project = path.resolve(import.meta.dirname, '..');

interface Document {
  /** Its path below the project's root. */
  file: string;
  text: string;
}

const read = (file: string): string => readFileSync(path.join(project, file), 'utf8');

const documents: readonly Document[] = globSync(['*.md', 'console/*.md', 'docs/**/*.md'], {
  cwd: project,
})
  .toSorted()
  .map((file) => ({ file: file.replaceAll(path.sep, '/'), text: read(file) }));

const withoutBlocks = (text: string): string => text.replaceAll(/^```.*?^```$/gms, '');

function assertNone(found: readonly string[], message: string): void {
  assert.equal(found.length, 0, `${message}:\n${found.map((line) => `  ${line}`).join('\n')}`);
}

/** The names that a document does not contain as code. */
const missingFrom = (file: string, names: readonly string[]): string[] => {
  const text = read(file);
  return names.filter((name) => !text.includes(`\`${name}\``));
};

/** The anchors that headings make. */
const anchorsOf = (text: string): string[] =>
  [...withoutBlocks(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );

interface Link {
  from: string;
  target: string;
  anchor: string | undefined;
}

const links: readonly Link[] = documents.flatMap(({ file, text }) =>
  [...withoutBlocks(text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, to = '']) => to)
    .filter((to) => !/^[a-z]+:/.test(to))
    .map((to) => {
      const [target = '', anchor] = to.split('#');
      const place = target === '' ? file : path.posix.join(path.posix.dirname(file), target);
      return { from: file, target: place, anchor };
    }),
);

/** Files named in code spans, by a path. Placeholders and the data folder are none. */
const namedFiles = documents.flatMap(({ file, text }) =>
  [...withoutBlocks(text).matchAll(/`([\w.-]+(?:\/[\w.-]+)+\.(?:ts|md|sql|json))`/g)]
    .map(([, named = '']) => ({ file, named }))
    .filter(({ named }) => !named.startsWith('.latchkey/')),
);

const manifest = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
const npmsOwn = new Set(['ci', 'install']);

/** The rows of tables, by their first cell, without the heads. */
const rowsOf = (text: string, columns: number): string[][] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| -'))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    )
    .filter((cells) => cells.length === columns);

/** Files and folders below the root or `src` that a cell names, and those that do not exist. */
function offsetsIn(cell: string): { there: string[]; lost: string[] } {
  const named = [...cell.matchAll(/`([\w.-]+(?:\/[\w.-]+)*)`/g)].map(([, place = '']) => place);
  const isThere = (place: string) =>
    ['', 'src'].some((folder) => existsSync(path.join(project, folder, place)));
  return {
    there: named.filter(isThere),
    lost: named.filter((place) => place.includes('/') && !isThere(place)),
  };
}

/** What a row of a table of protections lacks. */
function lackOf(what: string, enforced: string, tests: string): string[] {
  const places = offsetsIn(enforced);
  const proofs = offsetsIn(tests);
  const isTest = (place: string) => place.endsWith('.test.ts');
  return [
    ...[...places.lost, ...proofs.lost].map((place) => `${what}: ${place} does not exist`),
    ...(places.there.length === 0 ? [`${what}: names no place that enforces it`] : []),
    ...(proofs.there.some(isTest) ? [] : [`${what}: names no test`]),
  ];
}

describe('the tables of protections', () => {
  it('name for each promise a place that enforces it and a test', () => {
    const [, ...promises] = rowsOf(read('SECURITY.md'), 3);
    assert.ok(promises.length > 30);
    assertNone(
      promises.flatMap(([what, enforced, tests]) => lackOf(what!, enforced!, tests!)),
      'rows',
    );
  });

  it('name for each chapter and risk of OWASP that applies a place that enforces it and a test', () => {
    const rows = rowsOf(read('docs/contributors/verification.md'), 5);
    const chapters = rows.filter(([what]) => /^V\d/.test(what!));
    const risks = rows.filter(([what]) => /^API\d/.test(what!));
    assert.deepEqual([chapters.length, risks.length], [17, 10]);
    const applies = ([, one]: string[]) => one !== 'No';
    assertNone(
      [
        ...chapters
          .filter(applies)
          .flatMap(([what, , where, tests]) => lackOf(what!, where!, tests!)),
        ...risks
          .filter(applies)
          .flatMap(([what, , , where, tests]) => lackOf(what!, where!, tests!)),
      ],
      'rows',
    );
  });
});

describe('the documents', () => {
  it('are there', () => {
    const expected = ['README', 'ARCHITECTURE', 'CONTRIBUTING', 'CHANGELOG', 'SECURITY'];
    const indexes = ['partners', 'operators', 'reservations-team', 'rules', 'contributors'];
    const wanted = [
      ...expected.map((name) => `${name}.md`),
      ...indexes.map((folder) => `docs/${folder}/README.md`),
    ];
    const found = new Set(documents.map(({ file }) => file));
    assertNone(
      wanted.filter((file) => !found.has(file)),
      'missing',
    );
  });

  it('link to what exists, headings included', () => {
    const broken = links.filter(({ target, anchor }) => {
      if (!existsSync(path.join(project, target))) return true;
      return anchor !== undefined && !anchorsOf(read(target)).includes(anchor);
    });
    assertNone(
      broken.map(({ from, target, anchor }) => `${from}: ${target}#${anchor ?? ''}`),
      'broken links',
    );
  });

  it('name files that exist, below the root or src', () => {
    const isThere = (named: string) =>
      ['', 'src'].some((folder) => existsSync(path.join(project, folder, named)));
    const lost = namedFiles.filter(({ named }) => !isThere(named));
    assertNone(
      lost.map(({ file, named }) => `${file}: ${named}`),
      'no such file',
    );
  });

  it('name commands that package.json has', () => {
    const unknown = documents.flatMap(({ file, text }) =>
      [...text.matchAll(/(?:`|&& |^)npm (?:run (?:--silent )?)?([a-z][\w:-]*)/gm)]
        .map(([, command = '']) => command)
        .filter((command) => !(command in manifest.scripts) && !npmsOwn.has(command))
        .map((command) => `${file}: npm ${command}`),
    );
    assertNone(unknown, 'not in package.json');
    const readme = read('README.md');
    for (const command of ['npm ci', 'npm start', 'npm test', 'npm run demo']) {
      assert.ok(readme.includes(command), command);
    }
  });

  it('keep to this project', () => {
    const strange = documents.filter(({ text }) => /\.\.\/shared|registry\./.test(text));
    assert.deepEqual(
      strange.map(({ file }) => file),
      [],
    );
  });
});

describe('the guides', () => {
  it('name every operation, here or in the rules', () => {
    const text = documents
      .filter(({ file }) => /^docs\/(partners|operators|reservations-team|rules)\//.test(file))
      .map((document) => document.text)
      .join('\n');
    assertNone(
      operationIds.filter((id) => !text.includes(`\`${id}\``)),
      'not named',
    );
  });

  it('explain every error code and reason', () => {
    const names = [...Object.keys(errors), ...Object.keys(tokenErrors)];
    const known = [...names, ...Object.values(reasons).flat()];
    assertNone(missingFrom('docs/partners/errors-and-retries.md', known), 'not explained');
  });

  it('give every error its status', () => {
    const text = read('docs/partners/errors-and-retries.md');
    const wrong = Object.entries(errors).filter(
      ([code, { status }]) => !new RegExp(`^\\| \`${code}\` +\\| ${status} `, 'm').test(text),
    );
    assertNone(
      wrong.map(([code]) => code),
      'wrong status',
    );
  });

  it('explain every event type', () => {
    assertNone(missingFrom('docs/partners/events.md', Object.keys(eventTypes)), 'not explained');
  });

  it('explain every suffix and promotion code of the simulation', () => {
    const suffixes = Object.keys(suffixOutcomes).map((suffix) => `+${suffix}`);
    const codes = simulatedCatalog().promotions.map(({ code }) => code);
    assertNone(
      missingFrom('docs/partners/simulation.md', [...suffixes, ...codes]),
      'not explained',
    );
  });
});

/** The quoted words in the first match of a pattern in a file. */
const quotedIn = (file: string, place: RegExp): string[] =>
  [...(place.exec(read(file))?.[0] ?? '').matchAll(/'(\w+)'/g)].map(([, text = '']) => text);

/** The first cells of the tables under a heading, where they are code. */
function firstCells(file: string, heading: string): string[] {
  const [, rest = ''] = read(file).split(`\n## ${heading}\n`);
  const [section = ''] = rest.split('\n## ');
  return [...section.matchAll(/^\| `([^`]+)` +\|/gm)].map(([, cell = '']) => cell);
}

/** The source, without tests. */
const sources: readonly Document[] = globSync('src/**/*.ts', {
  cwd: project,
  exclude: ['**/*.test.ts'],
}).map((file) => ({ file: file.replaceAll(path.sep, '/'), text: read(file) }));

const ofFastify = 'Server listening at …';

const inQuotes = (line: string): string => (line.includes("'") ? `"${line}"` : `'${line}'`);

const units = { millisecond: 1, second: 1_000, minute: 60_000 } as const;

/** An interval in words: `a minute`, `10 seconds`, `half a second`. */
function millisecondsOf(words: string): number {
  const [, number = '', unit = ''] = /^(a|half a|[\d.]+) (\w+?)s?$/.exec(words) ?? [];
  return ({ a: 1, 'half a': 0.5 }[number] ?? Number(number)) * units[unit as keyof typeof units];
}

describe('the guides for operators', () => {
  const logs = 'docs/operators/logs.md';

  // The types refuse a line that the table lacks; the guide is generated from the table.
  it('explain no line of the log that nothing logs', () => {
    const table = 'src/platform/log-messages.ts';
    const texts = sources.filter(({ file }) => file !== table).map(({ text }) => text);
    const lines = Object.values(logSections).flatMap(Object.keys);
    assertNone(
      lines
        .filter((line) => line !== ofFastify)
        .filter((line) => !texts.some((text) => text.includes(inQuotes(line)))),
      'not logged',
    );
  });

  it('know every way to log', () => {
    const untyped = /\b(?:app|server|request|reply)\.log\b(?!,)/;
    assertNone(
      sources.filter(({ text }) => untyped.test(text)).map(({ file }) => file),
      'use logOf',
    );
  });

  it('explain every background task', () => {
    const starts = /start(?:Loop|Claiming<\w+>)\(\{\s*name: '([^']+)'/g;
    const loops = sources.flatMap(({ text }) => [...text.matchAll(starts)].map(([, name]) => name));
    assert.ok(loops.length > 5);
    assert.deepEqual(
      firstCells(logs, 'Background tasks').toSorted(),
      [...loops, ...backgroundTasks.map(({ name }) => name)].toSorted(),
    );
  });

  /** Loops with an interval that is written in their file, in milliseconds. */
  const loopsInSources = (): [name: string, everyMs: number][] =>
    sources.flatMap(({ text }) => {
      const constants = new Map(
        [...text.matchAll(/^(?:export )?const (\w+) = ([\d_]+);/gm)].map(([, name, value]) => [
          name,
          value,
        ]),
      );
      const loops =
        /\bname: '([^']+)',\s*(?:\.\.\.every\(([\d_]+)\)|everyMs(?:: (?:(\w*[A-Za-z]\w*)|([\d_]+)))?,)/g;
      return [...text.matchAll(loops)].flatMap(
        ([, name = '', every, constant = 'everyMs', number]): [string, number][] => {
          const written = every ?? number ?? constants.get(constant);
          return written === undefined ? [] : [[name, Number(written.replaceAll('_', ''))]];
        },
      );
    });

  it('say how often each task runs', () => {
    const text = read(logs);
    const loops = loopsInSources();
    assert.ok(loops.length > 25, `${loops.length} loops`);
    const tasks = backgroundTasks.map(({ name, everyMs }) => [name, everyMs] as const);
    const wrong = [...loops, ...tasks].filter(([name, everyMs]) => {
      const [, often = ''] =
        new RegExp(`^\\| \`${name}\` +\\| ([^|]+?) +\\|`, 'm').exec(text) ?? [];
      return millisecondsOf(often) !== everyMs;
    });
    assertNone(
      wrong.map(([name, everyMs]) => `${name}: ${everyMs} ms`),
      'another interval',
    );
  });

  it('have every sentence with which a start is refused', () => {
    const text = read(logs);
    const kinds = 'Config|EmbeddedPostgres|Installation|Listen|MasterKey|Migration|Certificate';
    const calls = `\\bnew (?:${kinds}|DatabaseUnavailable)Error\\(|\\b(?:wrong|problems\\.push)\\(`;
    const sentences = textsOfCalls(new RegExp(calls, 'g'))
      .filter(({ file }) => !file.startsWith('src/cli/'))
      .flatMap(({ file, parts }) =>
        parts
          .flatMap((part) => part.split(String.raw`\n`))
          .map((part) => part.trim())
          .filter((part) => part.length > 8 && !text.includes(part))
          .map((part) => `${file}: ${part}`),
      );
    assertNone(sentences, 'not explained');
  });

  it('explain every state, and no other', () => {
    const expected: Record<string, readonly string[]> = {
      Checkouts: checkoutStates,
      'Reservation requests': requestStates,
      'Why bookings fail': failureReasons,
      'Payment setups': [...paymentSetupStates, ...paymentSetupFailures],
      Reservations: [...reservationStates, ...materializations],
      Applications: quotedIn('src/access/staff/views.ts', /suspendedAt === null \? .*/),
      'Application keys': quotedIn('src/access/store/application-keys.ts', /type KeyState = .*/),
      'Signing keys': quotedIn('src/access/staff/signing-keys.ts', /state: retiredAt === null .*/),
    };
    for (const [heading, states] of Object.entries(expected)) {
      assert.ok(states.length > 1, heading);
      const explained = firstCells('docs/operators/states.md', heading);
      assert.deepEqual(explained.toSorted(), [...states].toSorted(), heading);
    }
  });
});

describe('the other documents', () => {
  it('rules: every scope', () => {
    assertNone(missingFrom('docs/rules/access.md', scopes), 'not named');
  });

  it('changes: the wire version has its section', () => {
    assert.ok(read('CHANGELOG.md').includes(`### ${wireVersion}\n`));
  });

  it('records: numbered without gaps, each with the tests that confirm it', () => {
    const records = documents.filter(({ file }) => /^docs\/adr\/\d/.test(file));
    const numbers = records.map(({ file }) => Number(/^\d{4}(?=-)/.exec(path.basename(file))?.[0]));
    assert.deepEqual(
      numbers,
      records.map((_, index) => index + 1),
    );
    records.forEach(({ file, text }) => {
      const [, tests = ''] = text.split('## Confirmed by');
      assert.match(tests, /\]\([^)]*test\/[^)]*\.ts\)/, `${file} names no test`);
    });
  });

  it('architecture: every table of the database, and every module', () => {
    const tables = [...read('schema.sql').matchAll(/CREATE TABLE (\w+)/g)].map(
      ([, table = '']) => table,
    );
    const modules = globSync('src/*/', { cwd: project }).map((folder) => path.basename(folder));
    assert.ok(tables.length > 10 && modules.length > 10);
    assertNone(missingFrom('docs/contributors/data.md', tables), 'not named');
    assertNone(missingFrom('ARCHITECTURE.md', modules), 'not named');
  });

  it('architecture: the steps of each kind of operation are those of the kernel', () => {
    const named = [...read('ARCHITECTURE.md').matchAll(/^\| `(\w+)` +\|[^|]*\|([^|]*)\|$/gm)]
      .map(([, kind = '', steps = '']) => [kind, steps.trim()])
      .filter(([kind = '']) => Object.hasOwn(stepsOfKind, kind));
    const steps = Object.entries(stepsOfKind).map(([kind, all]) => [
      kind,
      all.map(({ name }) => name).join(', '),
    ]);
    assert.deepEqual(Object.fromEntries(named), Object.fromEntries(steps));
  });

  it('architecture: at most 20 KB, which a newcomer reads in fifteen minutes', () => {
    const { length } = Buffer.from(read('ARCHITECTURE.md'));
    assert.ok(length <= 20 * 1024, `${length} bytes`);
  });
});
