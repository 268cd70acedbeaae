/** What partners generate from the document compiles, reads well, and books. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { after, before, suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'vite';
import { startTestService, type TestService } from '../harness/service.ts';

const project = fileURLToPath(new URL('../generators/', import.meta.url));
const document = fileURLToPath(new URL('../../openapi.json', import.meta.url));

// npm puts a package where its versions fit.
const packages = [`${project}node_modules/`, `${project}../../node_modules/`];

/** Runs a program of the partners' packages, as `npx` does. */
const run = (program: string, args: readonly string[], folder = project) => {
  const found = packages.map((place) => `${place}${program}`).find((file) => existsSync(file));
  assert.ok(found, program);
  return promisify(execFile)(process.execPath, [found, ...args], {
    cwd: folder,
    maxBuffer: 16 * 1024 * 1024,
  });
};

const compile = async (folder: string): Promise<string> => {
  const done = await run('typescript/bin/tsc', ['-p', folder]).catch((error: unknown) => error);
  return (done as { stdout: string }).stdout;
};

/** A generator with its default options. */
interface Generator {
  program: string;
  args: readonly string[];
  /** Where it writes a single file; absent: it is told so, or chooses. */
  folder?: string;
  /** The file that has, or the folder whose files each have, a type. */
  types: string;
  /** Whether it writes the descriptions of enums above them. */
  comments: boolean;
}

const generators: Record<string, Generator> = {
  'openapi-typescript': {
    program: 'openapi-typescript/bin/cli.js',
    args: [document, '-o', 'openapi-typescript/generated/schema.ts'],
    types: 'openapi-typescript/generated/schema.ts',
    comments: true,
  },
  'hey-api': {
    program: '@hey-api/openapi-ts/bin/run.js',
    args: ['-i', document, '-o', 'hey-api/generated', '--no-log-file'],
    types: 'hey-api/generated/types.gen.ts',
    comments: true,
  },
  oazapfts: {
    program: 'oazapfts/dist/cli.js',
    args: [document, 'oazapfts/generated/client.ts'],
    types: 'oazapfts/generated/client.ts',
    comments: false,
  },
  orval: {
    program: 'orval/dist/bin/orval.js',
    args: [],
    folder: 'orval',
    types: 'orval/generated/client.ts',
    comments: true,
  },
  'openapi-client-axios': {
    program: 'openapi-client-axios-typegen/typegen',
    args: [document],
    types: 'openapi-client-axios/generated/client.d.ts',
    comments: false,
  },
  'openapi-typescript-codegen': {
    program: 'openapi-typescript-codegen/bin/index.js',
    args: ['--input', document, '--output', 'openapi-typescript-codegen/generated', '--useOptions'],
    types: 'openapi-typescript-codegen/generated/models/',
    comments: true,
  },
};

/** Generates the types; a generator that prints them is redirected as its manual says. */
async function generate(name: string, { program, args, folder, types }: Generator): Promise<void> {
  const generated = `${project}${name}/generated`;
  await rm(generated, { recursive: true, force: true });
  await mkdir(generated);
  const { stdout } = await run(program, args, `${project}${folder ?? ''}`);
  if (!existsSync(`${project}${types}`)) await writeFile(`${project}${types}`, stdout);
}

const openEnums = [
  'CheckoutOutcome',
  'CheckoutState',
  'FailureReason',
  'Materialization',
  'NextAction',
  'PaymentSetupFailure',
  'PaymentSetupState',
  'ReservationRequestState',
  'ReservationState',
];

/** The generated text that has a type. */
const textOf = (types: string, type: string): Promise<string> =>
  readFile(`${project}${types.endsWith('/') ? `${types}${type}.ts` : types}`, 'utf8');

const bundled = 'openapi-typescript-codegen';

/** Bundles a program whose generated modules Node cannot resolve, as partners do. */
const bundle = () =>
  build({
    configFile: false,
    logLevel: 'error',
    root: project,
    build: {
      ssr: `${bundled}/book.ts`,
      outDir: `built/${bundled}`,
      rolldownOptions: { output: { entryFileNames: 'book.js' } },
    },
  });

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
    for (const [name, generator] of Object.entries(generators)) await generate(name, generator);
    await bundle();
    service = await startTestService();
  });
  after(() => service.stop());

  test('a booking program against each of them compiles, and its mistakes do not', async () => {
    assert.equal(await compile('.'), '');
    assert.equal(await compile(bundled), '');
  });

  for (const [name, { types, comments }] of Object.entries(generators)) {
    test(`${name} › enums of states and actions are named and open`, async () => {
      for (const type of openEnums) {
        const text = (await textOf(types, type)).replaceAll(/\/\*.*?\*\//gs, '');
        const isOpen = new RegExp(`\\b${type}(?: =|:)[^;]*\\| string\\)?;`).test(text);
        assert.ok(isOpen, `${name}: ${type} is not a named open enum`);
      }
    });

    if (comments) {
      test(`${name} › their comments say that values may appear`, async () => {
        for (const type of openEnums) {
          const [, comment] =
            new RegExp(
              `/\\*\\*([^/]*)\\*/\\s*(?:export type )?${type}(?: =|:) \\(?["'].*\\| string\\)?;`,
            ).exec(await textOf(types, type)) ?? [];
          assert.ok(comment, `${type} has no comment`);
          assert.match(comment, /New values may appear/, type);
        }
      });
    }

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
