/** Every command without a service; the first ones start the database for themselves and stop it again. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { findApplication } from '../../src/access/store/applications.ts';
import { findRunningPostgres } from '../../src/platform/embedded-postgres/index.ts';
import type { Storage } from '../../src/installation/storage.ts';
import { listAuditEntries } from '../../src/platform/audit/audit-entries.ts';
import { addCatalog } from '../harness/catalogs.ts';
import {
  madeInstallation,
  newInstallation,
  usedInstallation,
  type Installation,
} from './installation.ts';
import { uuid } from '../harness/uuids.ts';

interface NewApplication {
  applicationId: string;
  applicationKey: string;
  keyId: string;
  expiresAt: string;
}
interface Application {
  applicationId: string;
  name: string;
  state: string;
  grants: string[];
  quotas: Record<string, number>;
  catalog: string;
  adjustPercent: number;
  reservationsPerDay: number | null;
  suspendedAt: string | null;
  suspendedReason: string | null;
  version: number;
}
interface Key {
  keyId: string;
  state: string;
  expiresAt: string;
  revokedAt: string | null;
}
interface List<T> {
  items: T[];
}

const dayMs = 86_400_000;
const keyForm = /^lk_sandbox_[0-9A-Za-z]{12}_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$/;
const create = ['application', 'create', '--name', 'Über Stays', '--settlement', 'partner'];

describe('the command line, with no service running', () => {
  let installation: Installation;
  let created: NewApplication;
  let running: Storage;

  before(async () => {
    installation = await madeInstallation();
    created = await installation.done([
      ...create,
      '--grants',
      'search,catalog',
      '--quota',
      'read=7',
    ]);
  });
  after(async () => {
    await running?.close();
    await installation.remove();
  });

  const application = async (applicationId: string): Promise<Application | undefined> => {
    const { items } = await installation.done<List<Application>>(['application', 'list']);
    return items.find((one) => one.applicationId === applicationId);
  };
  const keys = async (): Promise<Key[]> =>
    (await installation.done<List<Key>>(['key', 'list', '--application', created.applicationId]))
      .items;

  it('creates an application with defaults for what is left out', () => {
    const { applicationId, applicationKey, keyId, expiresAt, ...rest } = created;
    assert.match(applicationId, uuid);
    assert.match(applicationKey, keyForm);
    assert.equal(applicationKey.split('_')[2], keyId);
    assert.deepEqual(rest, {
      name: 'Über Stays',
      settlement: 'partner',
      grants: ['catalog', 'search'],
      quotas: { read: 7, search: 36, write: 120, signal: 240 },
      catalog: 'harbour-homes',
      adjustPercent: 0,
      reservationsPerDay: null,
      portalKeys: true,
      commissionPercent: null,
      changes: 'ask',
    });
    const days = (Date.parse(expiresAt) - Date.now()) / dayMs;
    assert.ok(days > 364.9 && days <= 365, expiresAt);
  });

  it('leaves no PostgreSQL behind', async () => {
    assert.equal((await application(created.applicationId))?.state, 'active');
    assert.equal(existsSync(path.join(installation.dataDir, 'postgres', 'postmaster.pid')), false);
    // From here on the commands find it running: to start it for each of them takes longer than all the rest.
    running = await installation.storage();
  });

  it('lists applications, oldest first', async () => {
    const words = ['--name', 'Second', '--settlement', 'card', '--grants', 'catalog'];
    const second = await installation.done<NewApplication>(['application', 'create', ...words]);
    const { items } = await installation.done<List<Application>>(['application', 'list']);
    assert.deepEqual(
      items.map(({ applicationId, name, state }) => [applicationId, name, state]),
      [
        [created.applicationId, 'Über Stays', 'active'],
        [second.applicationId, 'Second', 'active'],
      ],
    );
  });

  it('suspends with a reason, again without moving the time, and resumes', async () => {
    const { applicationId } = created;
    const named = ['--application', applicationId];
    const suspended = await installation.done<Application>([
      'application',
      'suspend',
      ...named,
      '--reason',
      'Unpaid invoice',
    ]);
    assert.equal(suspended.state, 'suspended');
    assert.equal(suspended.suspendedReason, 'Unpaid invoice');
    assert.deepEqual(await application(applicationId), suspended);

    const again = await installation.done<Application>(['application', 'suspend', ...named]);
    assert.equal(again.suspendedAt, suspended.suspendedAt);
    assert.equal(again.suspendedReason, 'Unpaid invoice', 'no other reason was given');
    const other = [...named, '--reason', 'Fraud'];
    const third = await installation.done<Application>(['application', 'suspend', ...other]);
    assert.deepEqual([third.suspendedAt, third.suspendedReason], [suspended.suspendedAt, 'Fraud']);

    const upperCase = ['--application', applicationId.toUpperCase()];
    const resumed = await installation.done<Application>(['application', 'resume', ...upperCase]);
    assert.deepEqual(
      [resumed.state, resumed.suspendedAt, resumed.suspendedReason],
      ['active', null, null],
    );
    assert.deepEqual(await application(applicationId), resumed);
  });

  it('sets the quotas that are named, and leaves the others', async () => {
    const { applicationId } = created;
    const words = ['--application', applicationId, '--quota', 'search=120,signal=1'];
    const changed = await installation.done<Application>(['application', 'set-quota', ...words]);
    assert.deepEqual(changed.quotas, { read: 7, search: 120, write: 120, signal: 1 });
    assert.deepEqual(await application(applicationId), changed);
  });

  it('sets quotas only if they are those that were seen', async () => {
    const { applicationId, version } = (await application(created.applicationId))!;
    const named = ['application', 'set-quota', '--application', applicationId];
    const setting = (read: number, seen: number) =>
      named.concat('--quota', `read=${read}`, '--expected-version', String(seen));
    const changed = await installation.done<Application>(setting(8, version));
    assert.equal(changed.quotas['read'], 8);
    const stale = await installation.latchkey(setting(9, version));
    assert.equal(stale.exitCode, 1, stale.stderr);
    assert.equal((await application(applicationId))!.quotas['read'], 8);
    await installation.done(setting(7, changed.version));
  });

  // Spec: OPERATOR-7.
  it('shows an application by its ID, and by its name if no other has it', async () => {
    const show = (text: string) =>
      installation.done<Application>(['application', 'show', '--application', text]);
    const shown = { ...(await application(created.applicationId)), conformance: null };
    assert.deepEqual(await show(created.applicationId.toUpperCase()), shown);
    assert.deepEqual(await show('Über Stays'), shown);

    const more = ['--settlement', 'card', '--grants', 'catalog'];
    const twin = await installation.done<NewApplication>([
      'application',
      'create',
      '--name',
      'Über Stays',
      ...more,
    ]);
    const ids = `${created.applicationId}, ${twin.applicationId}`;
    const { exitCode, stderr } = await installation.latchkey([
      'key',
      'list',
      '--application',
      'Über Stays',
    ]);
    assert.equal(exitCode, 1);
    assert.equal(
      stderr,
      `latchkey: There are 2 applications named "Über Stays"; choose one by its ID: ${ids}.\n`,
    );
    const named = ['--application', twin.applicationId];
    await installation.done(['application', 'set', ...named, '--name', 'Twin']);
    assert.deepEqual(await show('Über Stays'), shown);
    assert.equal((await show('Twin')).applicationId, twin.applicationId);
  });

  it('sets what is named, leaves the rest, and audits both values', async () => {
    const first = await application(created.applicationId);
    const set = (...words: string[]) =>
      installation.done<Application>([
        'application',
        'set',
        '--application',
        created.applicationId,
        ...words,
      ]);
    const limited = await set('--adjust-percent', '-12.5', '--reservations-per-day', '20');
    const { version } = limited;
    assert.notEqual(version, first!.version);
    assert.deepEqual(limited, { ...first, adjustPercent: -12.5, reservationsPerDay: 20, version });
    const renamed = await set('--name', 'Other Stays', '--grants', 'quotes,search');
    const changed = { name: 'Other Stays', grants: ['search', 'quotes'], version: renamed.version };
    assert.deepEqual(renamed, { ...limited, ...changed });
    assert.deepEqual(await set('--name', 'Other Stays'), renamed, 'nothing changes');
    const back = [
      '--adjust-percent',
      '0',
      '--reservations-per-day',
      'none',
      '--name',
      'Über Stays',
    ];
    assert.deepEqual(await set(...back, '--grants', 'catalog,search'), first);

    const storage = await installation.storage();
    const entries = await storage.database.query<{ details: object }>({
      name: 'read-set-entries',
      text: `SELECT details FROM audit_entries WHERE action = 'application.set'
        AND application_id = '${created.applicationId}' ORDER BY entry_id`,
    });
    await storage.close();
    assert.deepEqual(
      entries.map(({ details }) => details),
      [
        {
          before: { adjustPercent: 0, reservationsPerDay: null },
          after: { adjustPercent: -12.5, reservationsPerDay: 20 },
        },
        {
          before: { name: 'Über Stays', grants: ['catalog', 'search'] },
          after: { name: 'Other Stays', grants: ['search', 'quotes'] },
        },
        {
          before: {
            name: 'Other Stays',
            grants: ['search', 'quotes'],
            adjustPercent: -12.5,
            reservationsPerDay: 20,
          },
          after: {
            name: 'Über Stays',
            grants: ['catalog', 'search'],
            adjustPercent: 0,
            reservationsPerDay: null,
          },
        },
      ],
    );
  });

  it('binds an application to a catalog that exists', async () => {
    const storage = await installation.storage();
    await addCatalog(storage.database, 'second');
    await storage.close();
    const more = [...create, '--grants', 'catalog'];
    const named = ['--application', created.applicationId];
    const refusals: [string[], string][] = [
      [more, 'There are 2 catalogs; choose one of: harbour-homes, second.'],
      [
        [...more, '--catalog', 'third'],
        'There is no catalog "third". There are: harbour-homes, second.',
      ],
      [
        ['application', 'set', ...named, '--catalog', 'third'],
        'There is no catalog "third". There are: harbour-homes, second.',
      ],
    ];
    for (const [words, reason] of refusals) {
      const { exitCode, stdout, stderr } = await installation.latchkey([...words, '--json']);
      assert.deepEqual([exitCode, stdout, stderr], [1, '', `latchkey: ${reason}\n`]);
    }
    const chosen = await installation.done<NewApplication & Application>([
      ...more,
      '--catalog',
      'second',
      '--adjust-percent',
      '8',
      '--reservations-per-day',
      '5',
    ]);
    const { catalog, adjustPercent, reservationsPerDay } = chosen;
    assert.deepEqual([catalog, adjustPercent, reservationsPerDay], ['second', 8, 5]);
    const { applicationId } = chosen;
    const at = ['application', 'set', '--application', applicationId, '--name', 'In the second'];
    const moved = await installation.done<Application>([...at, '--catalog', 'harbour-homes']);
    assert.equal(moved.catalog, 'harbour-homes');
    assert.deepEqual(await application(applicationId), moved);
  });

  it('issues, lists and revokes keys', async () => {
    const named = ['--application', created.applicationId];
    const issued = await installation.done<NewApplication>([
      'key',
      'issue',
      ...named,
      '--expires-in',
      '90d',
    ]);
    assert.deepEqual(Object.keys(issued), ['keyId', 'applicationKey', 'expiresAt']);
    assert.match(issued.applicationKey, keyForm);
    const days = (Date.parse(issued.expiresAt) - Date.now()) / dayMs;
    assert.ok(days > 89.9 && days <= 90, issued.expiresAt);
    const states = async () => (await keys()).map(({ keyId, state }) => [keyId, state]);
    assert.deepEqual(await states(), [
      [created.keyId, 'active'],
      [issued.keyId, 'active'],
    ]);

    const revoked = await installation.done<Key>(['key', 'revoke', '--key', created.keyId]);
    assert.equal(revoked.state, 'revoked');
    const again = await installation.done<Key>(['key', 'revoke', '--key', created.keyId]);
    assert.equal(again.revokedAt, revoked.revokedAt);
    assert.deepEqual(await states(), [
      [created.keyId, 'revoked'],
      [issued.keyId, 'active'],
    ]);
  });

  it('shows a key whose time is over as expired', async () => {
    const named = ['--application', created.applicationId];
    const { keyId } = await installation.done<Key>([
      'key',
      'issue',
      ...named,
      '--expires-in',
      '1m',
    ]);
    const storage = await installation.storage();
    await storage.database.query({
      name: 'age-key',
      text: `UPDATE application_keys SET expires_at = now() - interval '1 second' WHERE key_id = '${keyId}'`,
    });
    await storage.close();
    assert.equal((await keys()).find((key) => key.keyId === keyId)?.state, 'expired');
  });

  it('rotates and lists the keys that sign tokens, and never shows their private part', async () => {
    const first = await installation.done<Key>(['signing-key', 'rotate']);
    const second = await installation.done<Key>(['signing-key', 'rotate']);
    const { items } = await installation.done<List<Key>>(['signing-key', 'list']);
    assert.deepEqual(
      items.map(({ keyId, state }) => [keyId, state]),
      [
        [second.keyId, 'signing'],
        [first.keyId, 'verifying'],
      ],
    );
    assert.deepEqual(
      items.map((key) => Object.keys(key).toSorted()),
      Array.from({ length: 2 }, () => ['createdAt', 'keyId', 'retiredAt', 'state']),
    );
  });

  it('refuses unknown applications and keys, with the reason on stderr', async () => {
    const nobody = randomUUID();
    const refusals: [string[], string][] = [
      [['application', 'show', '--application', nobody], `no application ${nobody}`],
      [['application', 'show', '--application', 'Nobody'], 'no application "Nobody"'],
      [['application', 'set', '--application', nobody, '--name', 'a'], `no application ${nobody}`],
      [['application', 'suspend', '--application', nobody], `no application ${nobody}`],
      [['application', 'resume', '--application', nobody], `no application ${nobody}`],
      [
        ['application', 'set-quota', '--application', nobody, '--quota', 'read=1'],
        `no application ${nobody}`,
      ],
      [['key', 'issue', '--application', nobody], `no application ${nobody}`],
      [['key', 'list', '--application', nobody], `no application ${nobody}`],
      [['key', 'revoke', '--key', 'nowhere'], 'no key nowhere'],
    ];
    for (const [words, reason] of refusals) {
      const { exitCode, stdout, stderr } = await installation.latchkey([...words, '--json']);
      assert.deepEqual([exitCode, stdout], [1, ''], words.join(' '));
      assert.equal(stderr, `latchkey: There is ${reason}.\n`);
    }
  });

  it('puts every change into the audit trail, and no secret', async () => {
    const storage = await installation.storage();
    const page = { before: null, atMost: 1_000 };
    const { items } = await listAuditEntries(storage.database, {}, page);
    const entries = items.toReversed();
    await storage.close();
    assert.deepEqual(
      [...new Set(entries.map(({ actor }) => actor))],
      [`cli:${userInfo().username}`],
    );
    const ours = entries.filter((entry) => entry.applicationId === created.applicationId);
    assert.deepEqual(
      ours.map(({ action }) => action),
      [
        'application.create',
        'key.issue',
        'application.suspend',
        'application.suspend',
        'application.suspend',
        'application.resume',
        'application.set-quota',
        'application.set-quota',
        'application.set-quota',
        'application.set',
        'application.set',
        'application.set',
        'key.issue',
        'key.revoke',
        'key.revoke',
        'key.issue',
      ],
    );
    const suspension = ours[2]!.details as Record<string, { suspendedAt: string }>;
    assert.deepEqual(
      [
        suspension['reason'],
        suspension['before']?.suspendedAt,
        typeof suspension['after']?.suspendedAt,
      ],
      ['Unpaid invoice', null, 'string'],
    );
    const rotations = entries.filter(({ action }) => action === 'signing-key.rotate');
    assert.deepEqual(
      rotations.map(({ applicationId: about }) => about),
      [null, null],
    );
    assert.doesNotMatch(JSON.stringify(entries), /lk_sandbox_/);
  });

  it('prints tables and records as text, and a new key with a note', async () => {
    const list = await installation.process(['application', 'list']);
    const [head = '', first = ''] = list.stdout.split('\n');
    assert.match(
      head,
      /^APPLICATION ID +NAME +SETTLEMENT +STATE +CATALOG +ADJUST PERCENT +RESERVATIONS PER DAY +PORTAL KEYS +COMMISSION PERCENT +CHANGES +GRANTS +QUOTAS$/,
    );
    assert.ok(first.startsWith(created.applicationId), first);
    assert.equal(first.indexOf('Über Stays'), head.indexOf('NAME'));
    const issue = ['key', 'issue', '--application', created.applicationId];
    const { stdout } = await installation.latchkey(issue);
    assert.match(stdout, /^application key {2}lk_sandbox_\w+$/m);
    assert.match(stdout, /shown only once/);
  });
});

describe('the command line, on DATABASE_URL', () => {
  it('works on that database, and makes none in the data folder', async () => {
    const installation = await usedInstallation();
    const storage = await installation.storage();
    try {
      const connection = await findRunningPostgres(installation.dataDir);
      assert.ok(connection);
      const { host, port, user, database, password = '' } = connection;
      const query = new URLSearchParams({ host, port: String(port), user, password });
      const env = {
        DATABASE_URL: `postgres:///${database}?${query}`,
        LATCHKEY_MASTER_KEY: await readFile(path.join(installation.dataDir, 'master.key'), 'utf8'),
        LATCHKEY_DATA_DIR: path.join(installation.dataDir, 'elsewhere'),
      };
      const { exitCode, stdout, stderr } = await installation.latchkey(
        [...create, '--grants', 'catalog', '--json'],
        env,
      );
      assert.deepEqual([exitCode, stderr], [0, '']);
      const { applicationId } = JSON.parse(stdout) as NewApplication;
      assert.ok(await findApplication(storage.database, applicationId));
      assert.equal(existsSync(env.LATCHKEY_DATA_DIR), false);
    } finally {
      await storage.close();
      await installation.remove();
    }
  });
});

describe('the command line, with no catalog', () => {
  it('refuses a new application, and says what to do first', async () => {
    const installation = await newInstallation();
    await (await installation.storage()).close();
    const words = [...create, '--grants', 'catalog', '--json'];
    const { exitCode, stdout, stderr } = await installation.latchkey(words);
    const reason = 'There is no catalog yet. Import one first: latchkey catalog import FILE.';
    assert.deepEqual([exitCode, stdout, stderr], [1, '', `latchkey: ${reason}\n`]);
    await installation.remove();
  });
});

describe('the command line, where the database cannot be used', () => {
  let installation: Installation;
  before(async () => {
    installation = await usedInstallation();
  });
  after(() => installation.remove());

  const refused = async (env: NodeJS.ProcessEnv, reason: RegExp): Promise<void> => {
    const words = ['application', 'list', '--json'];
    const { exitCode, stdout, stderr } = await installation.latchkey(words, env);
    assert.deepEqual([exitCode, stdout], [1, '']);
    assert.match(stderr, reason);
    assert.doesNotMatch(stderr, / at .*\.ts:/);
    assert.doesNotMatch(stderr, /hunter2/);
  };

  it('reports a refused connection, without the password', () =>
    refused(
      { DATABASE_URL: 'postgres://latchkey:hunter2@127.0.0.1:1/latchkey' },
      /^latchkey: The database cannot be used\. .*ECONNREFUSED/,
    ));

  it('names everything that is wrong with the environment', () =>
    refused(
      { LATCHKEY_ENVIRONMENT: 'moon', PORT: 'x' },
      /LATCHKEY_ENVIRONMENT must be one of .*\n.*PORT must be/,
    ));

  it('reports an invalid data folder', () =>
    refused({ LATCHKEY_DATA_DIR: '/dev/null' }, /The data folder \/dev\/null is a file/));

  it('reports a missing installation and how to create one, and creates nothing', async () => {
    const empty = path.join(installation.dataDir, '..', 'typo');
    for (const words of [
      ['application', 'list'],
      ['application', 'create', '--name', 'a', '--settlement', 'card', '--grants', 'catalog'],
    ]) {
      const { exitCode, stdout, stderr } = await installation.latchkey(words, {
        LATCHKEY_DATA_DIR: empty,
      });
      assert.deepEqual([exitCode, stdout], [1, '']);
      assert.ok(stderr.includes(`There is no installation of Latchkey in the folder ${empty}.`));
      assert.match(stderr, /npm start.*LATCHKEY_DATA_DIR/);
    }
    assert.equal(existsSync(empty), false);
  });

  it('reports an unprepared database, and leaves it empty', async () => {
    const storage = await installation.storage();
    const connection = await findRunningPostgres(installation.dataDir);
    assert.ok(connection);
    const { host, port, user, database, password = '' } = connection;
    const client = new pg.Client({ host, port, user, password, database });
    await client.connect();
    try {
      // The role may not make databases: a schema of its own is as empty.
      await client.query('CREATE SCHEMA unused');
      const query = new URLSearchParams({
        host,
        port: String(port),
        user,
        password,
        options: '-c search_path=unused',
      });
      await refused(
        { DATABASE_URL: `postgres:///${database}?${query}` },
        /There is no installation of Latchkey in the database of DATABASE_URL\..*npm start/,
      );
      const { rows } = await client.query(
        `SELECT relname FROM pg_class WHERE relnamespace = 'unused'::regnamespace`,
      );
      assert.deepEqual(rows, []);
    } finally {
      await client.end();
      await storage.close();
    }
  });

  it('reports a different master key', async () => {
    await installation.done(['application', 'list']);
    const otherKey = Buffer.alloc(32, 1).toString('base64');
    await refused({ LATCHKEY_MASTER_KEY: otherKey }, /sealed with another master key/);
  });
});
