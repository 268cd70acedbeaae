/** What partners generate from the document compiles, reads well, and books. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { after, before, suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startTestService, type TestService } from '../harness/service.ts';

const project = fileURLToPath(new URL('../generators/', import.meta.url));
const document = fileURLToPath(new URL('../../openapi.json', import.meta.url));

/** Runs a program of the partners' packages, as `npx` does. */
const run = (program: string, args: readonly string[]) =>
  promisify(execFile)(process.execPath, [`${project}node_modules/${program}`, ...args], {
    cwd: project,
  });

const compile = async (): Promise<string> => {
  const done = await run('typescript/bin/tsc', ['-p', '.']).catch((error: unknown) => error);
  return (done as { stdout: string }).stdout;
};

const generators = {
  'openapi-typescript': {
    program: 'openapi-typescript/bin/cli.js',
    args: [document, '-o', 'openapi-typescript/generated/schema.ts'],
    types: 'openapi-typescript/generated/schema.ts',
  },
  'hey-api': {
    program: '@hey-api/openapi-ts/bin/run.js',
    args: ['-i', document, '-o', 'hey-api/generated', '--no-log-file'],
    types: 'hey-api/generated/types.gen.ts',
  },
} as const;

/** What a program of a partner exports; it is compiled by the test. */
interface Program {
  book(booking: object): Promise<string>;
}

test('docs/partners/generated-types.md › its code stands in the programs', async () => {
  const read = (file: string) => readFile(`${project}${file}`, 'utf8');
  const guide = await read('../../docs/partners/generated-types.md');
  const programs = (
    await Promise.all(Object.keys(generators).map((name) => read(`${name}/book.ts`)))
  ).join('\n');
  const lines = [...guide.matchAll(/^```ts\n(.*?)^```$/gms)].flatMap(([, code = '']) =>
    code.split('\n').map((line) => line.trim()),
  );
  assert.ok(lines.length > 10);
  assert.deepEqual(
    lines.filter((line) => !programs.includes(line)),
    [],
  );
});

suite('types generated with default options', () => {
  let service: TestService;

  before(async () => {
    await rm(`${project}built`, { recursive: true, force: true });
    for (const { program, args } of Object.values(generators)) await run(program, args);
    service = await startTestService();
  });
  after(() => service.stop());

  test('a booking program against each of them compiles, and its mistakes do not', async () => {
    assert.equal(await compile(), '');
  });

  for (const [name, { types }] of Object.entries(generators)) {
    test(`${name} › enums of states and actions are named and said to be open`, async () => {
      const text = await readFile(`${project}${types}`, 'utf8');
      for (const type of [
        'CheckoutOutcome',
        'CheckoutState',
        'FailureReason',
        'Materialization',
        'NextAction',
        'PaymentSetupFailure',
        'PaymentSetupState',
        'ReservationRequestState',
        'ReservationState',
      ]) {
        const [, comment] =
          new RegExp(
            `/\\*\\*([^/]*)\\*/\\s*(?:export type )?${type}(?: =|:) \\(?["'].*\\| string;`,
          ).exec(text) ?? [];
        assert.ok(comment, `${type} is not a named enum with a comment`);
        assert.match(comment, /New values may appear/, type);
      }
    });

    test(`${name} › the program books`, async () => {
      const partner = await service.partner();
      const { checkIn, checkOut } = await partner.freeStay();
      const { book } = (await import(`${project}built/${name}/book.js`)) as Program;
      const { applicationId, applicationKey } = partner.credentials;
      const baseUrl = service.origin;
      const reference = await book({ baseUrl, applicationId, applicationKey, checkIn, checkOut });
      const params = { reference };
      const reservation = await partner.succeed('reservation.reservation.get', { params });
      assert.equal(reservation.state, 'confirmed');
      assert.deepEqual(reservation.party, { adults: 2, children: 0, infants: 0, pets: 0 });
    });
  }
});
