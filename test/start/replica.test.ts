/** Reads from a replica: only what is complete, and never an error because of it. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openCatalog } from '../../src/catalog/index.ts';
import { runCommandLine } from '../../src/cli/run-command-line.ts';
import { openNightsIndex } from '../../src/inventory/index.ts';
import {
  defaultPoolLimits,
  openDatabase,
  type Database,
} from '../../src/platform/postgres/database.ts';
import { DatabaseUnavailableError } from '../../src/platform/postgres/database-errors.ts';
import { replicaReadsOf, type Reads } from '../../src/platform/postgres/replica.ts';
import { openVault, type Vault } from '../../src/platform/vault.ts';
import type { PostgresServer } from '../harness/postgres-server.ts';
import { makeDataFolders, type DataFolders } from '../harness/data-folders.ts';
import { eventually } from '../harness/eventually.ts';
import { issueOperatorToken } from '../../src/sign-in/index.ts';
import { enterPortal } from '../harness/portal.ts';
import { registerPartner } from '../harness/registration.ts';
import { sql } from '../harness/rows.ts';
import { freePort } from '../harness/free-port.ts';
import { serve } from '../harness/service-process.ts';
import { asSuperuser, openStandbyPair, type StandbyPair } from '../harness/standby.ts';
import { usedMasterKey } from '../harness/used-folder.ts';
import { movableClockBy } from '../harness/moved-clock.ts';

const never = new AbortController().signal;

const open = (server: PostgresServer, vault: Vault): Database =>
  openDatabase(server.connection, vault, defaultPoolLimits, () => undefined);

const urlOf = ({ connection: { host, port, user, database } }: PostgresServer): string =>
  `postgres:///${database}?${new URLSearchParams({ host, port: String(port), user })}`;

describe('reads from a replica', () => {
  let folders: DataFolders;
  let pair: StandbyPair;
  let primary: Database;
  let replica: Database;
  /** What the replica was asked. */
  const asked: string[] = [];
  const logged: object[] = [];
  let listingId: string;

  /** The replica, seen by the test. */
  const seen = (server: Database): Database => ({
    ...server,
    query: (statement, values) => {
      asked.push(statement.name);
      return server.query(statement, values);
    },
    connect: () => {
      asked.push('connect');
      return server.connect();
    },
  });
  const readsOf = (waitMs: number, server = seen(replica), pauseMs = 0): Reads => {
    const log = {
      info: (_: object, message: string) => void logged.push({ message }),
      warn: (details: object, message: string) => void logged.push({ ...details, message }),
    };
    return replicaReadsOf({ primary, replica: server, waitMs, pauseMs, log });
  };

  before(async () => {
    folders = await makeDataFolders();
    pair = await openStandbyPair(await folders.usedFolder(), folders.folder());
    const vault = openVault(await usedMasterKey());
    primary = open(pair.primary, vault);
    replica = open(pair.standby, vault);
    const [listing] = await sql<{ id: string }>(
      primary,
      'SELECT listing_id AS id FROM listings LIMIT 1',
    );
    listingId = listing!.id;
  });
  after(async () => {
    await Promise.all([primary.close(), replica.close()]);
    await pair.stop();
    await folders.clear();
  });
  beforeEach(() => {
    asked.length = 0;
    logged.length = 0;
  });

  const today = Math.floor(Date.now() / 86_400_000);
  let lastNight = 10;
  /** Blocks a night that was free. Returns it. */
  async function block(): Promise<number> {
    lastNight += 1;
    await sql(
      primary,
      `INSERT INTO occupancies (listing_id, nights, kind, source)
        VALUES ($1, daterange(current_date + $2::integer, current_date + $2::integer + 1), 'block', 'staff')`,
      [listingId, lastNight],
    );
    const [row] = await sql<{ day: number }>(
      primary,
      `SELECT current_date + $1::integer - date '1970-01-01' AS day`,
      [lastNight],
    );
    return row!.day;
  }
  const loadedNight = async (reads: Reads, night: number): Promise<number> => {
    const index = await openNightsIndex(primary, () => [], reads);
    assert.ok(index.knownUntil() > (today - 1) * 86_400_000);
    return (await index.openNights(listingId, night, 1, never))[0]!;
  };

  it('a load has everything that was committed before it, again and again', async () => {
    const reads = readsOf(20_000);
    for (let round = 0; round < 10; round += 1) {
      assert.equal(await loadedNight(reads, await block()), 0, `round ${round}`);
    }
    assert.equal(asked.filter((name) => name === 'connect').length, 10, 'the nights come from it');
    assert.ok(!asked.includes('night-changes-position'), 'the position is that of the primary');
    assert.deepEqual(logged, []);
  });

  it('all homes are loaded from it, changes are followed on the primary', async () => {
    const installation = { environment: 'simulation', baseUrl: 'http://localhost' } as const;
    const catalog = await openCatalog(primary, installation, readsOf(20_000));
    assert.ok(
      asked.includes('read-changed-homes') && asked.includes('read-catalogs'),
      asked.join(),
    );
    const [known] = catalog.views();
    assert.ok(known!.listings.length > 50);
    asked.length = 0;
    await sql(primary, 'UPDATE catalog_revision SET revision = revision + 1');
    await sql(
      primary,
      `UPDATE listings SET name = 'Followed', revision = (SELECT revision FROM catalog_revision)
        WHERE listing_id = $1`,
      [listingId],
    );
    await catalog.follow();
    const [followed] = catalog.views();
    assert.equal(followed!.find(listingId)?.listing.name, 'Followed');
    assert.deepEqual(asked, []);
  });

  it('a replica that is behind is not used; its lag is known; a load waits for it', async () => {
    await pair.caughtUp();
    const reads = readsOf(100);
    assert.equal((await reads.lag())!.bytes, 0);
    assert.equal((await reads.lag())!.seconds, 0);
    await pair.pauseReplay();
    const night = await block();
    assert.equal(await loadedNight(reads, night), 0, 'from the primary');
    assert.ok(!asked.includes('connect'));
    const lag = await reads.lag();
    assert.ok(lag!.bytes! > 0 && lag!.isReplica && lag!.seconds! >= 0, JSON.stringify(lag));
    assert.equal(logged.length, 1);
    assert.match(JSON.stringify(logged[0]), /"it is \d+ bytes behind".*instead of the replica/);

    const waiting = loadedNight(readsOf(60_000), night);
    await sleep(50);
    assert.ok(!asked.includes('connect'), 'it waits');
    await pair.resumeReplay();
    assert.equal(await waiting, 0);
    assert.ok(asked.includes('connect'));
    await pair.caughtUp();
    await reads.fresh();
    assert.deepEqual(logged.at(-1), { message: 'reads use the replica again' });
  });

  it('a replica that fails during a load: the primary loads everything', async () => {
    const night = await block();
    const failing = {
      ...replica,
      connect: () => Promise.reject(new DatabaseUnavailableError('gone')),
    };
    assert.equal(await loadedNight(readsOf(20_000, failing), night), 0);
    assert.match(JSON.stringify(logged), /"reason":"gone"/);

    const pausing = readsOf(20_000, seen(failing), 60_000);
    await pausing.run((from) => from.connect().then((client) => client.end()));
    asked.length = 0;
    assert.equal(await pausing.fresh(), primary);
    assert.deepEqual(asked, [], 'it is not asked again for a while');
  });

  it('an error of the work itself is not one of the replica', async () => {
    const refused = readsOf(20_000).run(() => Promise.reject(new RangeError('no such cursor')));
    await assert.rejects(refused, new RangeError('no such cursor'));
    assert.deepEqual(logged, []);
  });

  it('a server that is no replica of the primary is not used', async () => {
    const another = openDatabase(
      { ...pair.standby.connection, database: 'postgres' },
      primary.vault,
      defaultPoolLimits,
      () => undefined,
    );
    for (const server of [primary, another]) {
      const reads = readsOf(20_000, seen(server));
      assert.equal(await reads.fresh(), primary);
      assert.deepEqual(await reads.lag(), { isReplica: false, bytes: null, seconds: null });
    }
    assert.match(JSON.stringify(logged), /it is no replica of this primary/);
    await another.close();
  });

  it('a service and its commands use it, and go on without it', async () => {
    const metricsPort = await freePort();
    const env = {
      DATABASE_URL: urlOf(pair.primary),
      DATABASE_REPLICA_URL: urlOf(pair.standby),
      LATCHKEY_REPLICA_WAIT_MS: '20000',
      LATCHKEY_MASTER_KEY: (await usedMasterKey()).toString('base64'),
      LATCHKEY_METRICS_PORT: String(metricsPort),
    };
    const metrics = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    const listed = async () => {
      const output = { print: () => undefined, write: () => Promise.resolve(), terminal: null };
      for (const words of [
        ['reservation', 'list'],
        ['audit', 'list'],
        ['payment', 'list'],
      ]) {
        const { exitCode, err } = await runCommandLine(words, env, output);
        assert.deepEqual({ exitCode, err }, { exitCode: 0, err: '' });
      }
    };
    /** Whether these tables have been read on the standby. A session counts when it ends, or is idle. */
    const areRead = (...tables: string[]) =>
      eventually(async () => {
        const rows = await asSuperuser(
          pair.standby,
          'SELECT relname FROM pg_stat_user_tables WHERE seq_scan + idx_scan > 0',
        );
        return tables.every((table) => rows.some(({ relname }) => relname === table));
      }, 20_000);
    const { token } = await issueOperatorToken(primary, 'test', {
      name: 'lists',
      role: 'viewer',
      lifetimeSeconds: 600,
    });
    const pages = async () => {
      for (const list of ['reservations', 'overview', 'promotions', 'calendar?from=2027-01-01']) {
        const url = `${service.origin}/operator/v1/${list}`;
        const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
        assert.equal(response.status, 200, list);
      }
      for (const list of ['endpoint', 'delivery', 'event', 'request'] as const) {
        await portal.succeed(`portal.${list}.list`);
      }
    };
    const service = await serve({ dataDir: folders.folder(), env });
    const partner = await registerPartner(primary, service.origin);
    const books = async () => partner.statusOnce(await partner.submittedCheckout(), ['confirmed']);
    const portal = await enterPortal({ origin: service.origin, database: primary }, partner);
    await books();
    assert.match(await metrics(), /^latchkey_replica_connected 1$/m);
    assert.match(await metrics(), /^latchkey_replica_lag_seconds \d/m);
    await asSuperuser(pair.standby, 'SELECT pg_stat_reset()');
    await pages();
    await areRead(
      'reservations',
      'booked_days',
      'promotions',
      'webhook_endpoints',
      'webhook_deliveries',
      'events',
      'request_log',
    );
    await listed();
    await areRead('audit_entries', 'payment_accounts');

    await pair.standby.kill();
    await books();
    await pages();
    assert.match(await metrics(), /^latchkey_replica_connected 0$/m);
    await listed();
    const another = await serve({
      dataDir: folders.folder(),
      env: { ...env, LATCHKEY_METRICS_PORT: String(await freePort()) },
    });
    await another.says('reads use the primary instead of the replica');
    await Promise.all([service.stop(), another.stop()]);
    assert.match(service.stdout, /reads use the primary instead of the replica/);
    await pair.standby.restart();
  });

  it('a replica whose clock is not that of the primary is not used', async () => {
    await movableClockBy((text) => asSuperuser(pair.primary, text));
    await pair.caughtUp();
    const reads = readsOf(20_000);
    const moveReplica = async (by: string): Promise<void> => {
      await asSuperuser(pair.standby, `ALTER SYSTEM SET moved.by = '${by}'`);
      await asSuperuser(pair.standby, 'SELECT pg_reload_conf()');
    };
    await moveReplica('-90 seconds');
    await eventually(async () => (await reads.fresh()) === primary);
    assert.match(JSON.stringify(logged), /its clock is (89|9\d) s from that of the primary/);
    await moveReplica('30 seconds');
    await eventually(async () => (await reads.fresh()) !== primary);
  });

  it('a replica that was promoted is not used', async () => {
    const reads = readsOf(20_000);
    await pair.caughtUp();
    assert.notEqual(await reads.fresh(), primary);
    await pair.promote();
    assert.equal(await reads.fresh(), primary);
  });
});
