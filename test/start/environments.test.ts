/** Starts in each environment, as an operator makes them, and what each refuses. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { mintKey } from '../../src/access/application-key.ts';
import { seedSimulation } from '../../src/simulation/seed.ts';
import { makeDataFolders } from '../harness/data-folders.ts';
import { withDatabaseOf } from '../harness/embedded.ts';
import { eventually } from '../harness/eventually.ts';
import { assertError } from '../harness/journey.ts';
import { guest, Partner } from '../harness/partner.ts';
import { createTestDatabase } from '../harness/postgres.ts';
import {
  launch,
  onDatabase,
  serve,
  type Launch,
  type ServiceProcess,
} from '../harness/service-process.ts';
import { ran } from '../harness/programs.ts';

const dataFolders = await makeDataFolders();
after(() => dataFolders.clear());

const test = { LATCHKEY_ENVIRONMENT: 'test' };
const fixtures = path.join(import.meta.dirname, '../fixtures/tls');
const tls = {
  LATCHKEY_TLS_CERT_FILE: path.join(fixtures, 'localhost.crt'),
  LATCHKEY_TLS_KEY_FILE: path.join(fixtures, 'localhost.key'),
};
const live = { LATCHKEY_ENVIRONMENT: 'live', ...tls, BASE_URL: 'https://homes.example' };

const onKey = { LATCHKEY_MASTER_KEY: Buffer.alloc(32, 5).toString('base64') };

/** Starts, and expects a refusal. Returns what it said. */
async function refusal(options: Launch): Promise<string> {
  const service = await launch(options);
  assert.deepEqual(await service.ended, { code: 1, signal: null }, service.output);
  assert.match(service.stderr, /^Latchkey did not start\. /);
  assert.doesNotMatch(service.output, /^ +at |node:internal|"stack"/m);
  return service.stderr;
}

interface Created {
  applicationId: string;
  applicationKey: string;
}

/** Runs a command beside the service, with its environment. */
async function latchkey<T>(words: readonly string[], env: Record<string, string>): Promise<T> {
  const { code, out, err } = await ran(['src/cli/latchkey.ts', ...words, '--json'], env);
  assert.equal(code, 0, err);
  return JSON.parse(out) as T;
}

describe('the environment test', () => {
  const dataDir = dataFolders.folder();
  const env = { ...test, LATCHKEY_DATA_DIR: dataDir };
  let service: ServiceProcess;
  before(async () => {
    service = await serve({ dataDir, env });
  });

  const create = (settlement: 'card' | 'partner') =>
    latchkey<Created>(
      ['application', 'create', '--name', settlement, '--settlement', settlement].concat([
        '--grants',
        'catalog,search,quotes,checkout',
      ]),
      env,
    );

  // Spec: CARD-9.
  it('starts with nothing and no homes, and sells what is imported', async () => {
    await service.says('Latchkey serves the environment test at http://localhost:');
    await service.says('latchkey -- catalog import');
    assert.ok(!existsSync(path.join(dataDir, 'sandbox-credentials.json')));
    assert.equal(await readFile(path.join(dataDir, 'environment'), 'utf8'), 'test\n');
    const none = await withDatabaseOf(dataDir, (database) =>
      database.query({
        name: '',
        text: 'SELECT 1 FROM catalogs UNION ALL SELECT 1 FROM applications',
      }),
    );
    assert.deepEqual(none, []);

    // The homes of the simulation serve as the operator's file.
    await withDatabaseOf(dataDir, seedSimulation);
    const settled = await create('partner');
    assert.match(settled.applicationKey, /^lk_test_/);
    const partnerOf = (
      { applicationId, applicationKey }: Created,
      settlement: 'card' | 'partner',
    ) => new Partner(service.origin, { applicationId, applicationKey, keyId: '', settlement });
    const partner = partnerOf(settled, 'partner');
    const site = await partner.succeed('distribution.site.get');
    assert.equal(site.environment, 'test');
    assert.deepEqual(site.capabilities, ['catalog', 'search', 'quotes', 'checkout']);

    const stay = await partner.freeStay();
    const search = await partner.succeed('distribution.listing.search', {
      body: { checkIn: stay.checkIn, checkOut: stay.checkOut, party: stay.party },
    });
    assert.equal(search.meta.definitionVersion, 'latchkey-inventory/1');
    const quote = await partner.quote(stay);
    // Suffixes select outcomes only in the simulation.
    const { reservationRequestId } = await partner.request(quote, { guest: guest('sold_out') });
    const at = { params: { reservationRequestId } };
    const state = async () =>
      (await partner.succeed('reservation.reservationRequest.get', at)).state;
    await eventually(async () => (await state()) !== 'pending', 15_000);
    assert.equal(await state(), 'confirmed');
    assertError(
      await partner.refused('reservation.quote.create', {
        body: { quoteId: randomUUID(), ...stay },
      }),
      [409, 'conflict', 'unavailable'],
    );

    const card = partnerOf(await create('card'), 'card');
    const { capabilities } = await card.succeed('distribution.site.get');
    assert.deepEqual(capabilities, ['catalog', 'search', 'quotes']);
    const cardQuote = await card.quote();
    const checkout = (quoteId: string) =>
      card.refused('reservation.checkout.create', { body: { checkoutId: randomUUID(), quoteId } });
    assertError(await checkout(cardQuote.quoteId), [503, 'not_configured']);
    assertError(await checkout(randomUUID()), [404, 'not_found']);

    const { applicationId } = settled;
    const { applicationKey } = mintKey('simulation');
    const token = await fetch(`${service.origin}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: applicationId,
        client_secret: applicationKey,
      }),
    });
    assert.deepEqual(
      [token.status, ((await token.json()) as { error: string }).error],
      [401, 'invalid_client'],
    );
  });

  it('is booked by the demo, with an application that the environment names', async () => {
    const created = await create('partner');
    const named = {
      APPLICATION_ID: created.applicationId,
      APPLICATION_KEY: created.applicationKey,
      PORT: String(service.port),
    };
    const { code, out, err } = await ran(['src/demo/main.ts'], named);
    assert.equal(code, 0, `${err}\n${out}`);
    assert.match(out, /environment +test/);
    assert.match(out, /^ +reference +LK-/m);
    assert.match(out, /The nights of the stay are taken now/);
    const withoutKey = await ran(['src/demo/main.ts'], { ...named, APPLICATION_KEY: '' });
    assert.equal(withoutKey.code, 1);
    assert.match(withoutKey.err, /APPLICATION_KEY is required beside APPLICATION_ID/);
  });

  it('starts again with its homes, and not as another environment', async () => {
    await service.stop();
    const again = await serve({ dataDir, env });
    await again.says('The guide for operators');
    assert.doesNotMatch(again.stdout, /It has no homes yet/);
    await again.stop();
    for (const environment of ['simulation', 'live']) {
      const other = environment === 'live' ? { ...live, ...onKey } : {};
      const said = await refusal({ dataDir, env: { ...other, LATCHKEY_ENVIRONMENT: environment } });
      assert.ok(
        said.includes(`belongs to the environment test, not to ${environment}`) ||
          said.includes('master key next to the data'),
        said,
      );
    }
  });

  it('is refused in a data folder of the simulation, which keeps working', async () => {
    const used = await dataFolders.usedFolder();
    assert.match(
      await refusal({ dataDir: used, env: test }),
      /sandbox-credentials\.json holds keys of the simulation: each environment needs its own/,
    );
    const simulation = await serve({ dataDir: used });
    await simulation.stop();
  });

  // Spec: ENVIRONMENT-1.
  it('is refused in a folder that is marked, or on a database, of another environment', async () => {
    const marked = dataFolders.folder();
    await mkdir(marked);
    await writeFile(path.join(marked, 'environment'), 'live\n');
    const said = await refusal({ dataDir: marked, env: test });
    assert.ok(said.includes(`${marked} belongs to the environment live, not to test`), said);
    assert.ok(!existsSync(path.join(marked, 'postgres')), 'nothing is created before the refusal');
    const database = await createTestDatabase();
    const onOther = { ...onDatabase(database), ...test };
    const other = await refusal({ dataDir: dataFolders.folder(), env: onOther });
    assert.match(other, /belongs to the environment simulation, not to test: set LATCHKEY_ENV/);
    await database.drop();
  });
});

describe('the environment live', () => {
  it('refuses everything unsafe at once, and creates nothing', async () => {
    const dataDir = dataFolders.folder();
    const env = { LATCHKEY_ENVIRONMENT: 'live', LATCHKEY_FAILPOINT: 'after:transition-booking' };
    const said = await refusal({ dataDir, env });
    assert.deepEqual(
      said
        .split('\n')
        .filter((line) => line.startsWith('  - '))
        .map((line) => line.slice(4).split(' ', 3).join(' ')),
      [
        'LATCHKEY_MASTER_KEY is required',
        'live is not',
        'BASE_URL is required',
        'LATCHKEY_FAILPOINT is for',
      ],
    );
    assert.ok(!existsSync(dataDir));
  });

  it('starts with TLS and a key from elsewhere, and is managed without TLS settings', async () => {
    const dataDir = dataFolders.folder();
    const env = { ...live, ...onKey };
    const service = await launch({ dataDir, env });
    await service.says('Latchkey serves the environment live at https://homes.example');
    assert.ok(!existsSync(path.join(dataDir, 'master.key')));
    const warned = service.output
      .split('\n')
      .find((line) => line.includes('the database is the embedded PostgreSQL'));
    assert.match(warned ?? '', /"level":"warn".*"version":"18\.\d+/, service.output);
    const { items } = await latchkey<{ items: unknown[] }>(['application', 'list'], {
      LATCHKEY_ENVIRONMENT: 'live',
      LATCHKEY_DATA_DIR: dataDir,
      ...onKey,
    });
    assert.deepEqual(items, []);
    await service.stop();
    const away = { ...env, DATABASE_URL: 'postgres://latchkey@93.184.216.34/latchkey' };
    assert.match(
      await refusal({ dataDir, env: away }),
      /DATABASE_URL: live sends nothing in clear over 93\.184\.216\.34/,
    );
    await writeFile(path.join(dataDir, 'master.key'), 'a key');
    assert.match(await refusal({ dataDir, env }), /master\.key is a master key next to the data/);
  });
});
