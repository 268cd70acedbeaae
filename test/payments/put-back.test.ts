/**
 * A database is put back in each way of the guide of backups, with the service as a process of its own, while the card
 * provider, a partner's endpoint and the operator's system remember what it has lost.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { appendFile, chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { promisify } from 'node:util';
import {
  defaultPoolLimits,
  openDatabase,
  type Database,
} from '../../src/platform/postgres/database.ts';
import type { EpochReason } from '../../src/platform/postgres/epochs.ts';
import { openVault } from '../../src/platform/vault.ts';
import { type CardPayments, openCardPayments } from '../faults/card-payments.ts';
import { ServiceRunner } from '../faults/service-runner.ts';
import { backUpRunning } from '../harness/base-backup.ts';
import { makeDataFolders } from '../harness/data-folders.ts';
import { eventually } from '../harness/eventually.ts';
import { freePort } from '../harness/free-port.ts';
import { PostgresServer } from '../harness/postgres-server.ts';
import { ran } from '../harness/programs.ts';
import { type Arrival, Receiver, respond } from '../harness/receiver.ts';
import { recordsEnv } from '../harness/records.ts';
import { registerPartner } from '../harness/registration.ts';
import { sql } from '../harness/rows.ts';
import { asSuperuser, openStandbyPair } from '../harness/standby.ts';
import { usedMasterKey } from '../harness/used-folder.ts';
import { addEndpoint } from '../harness/webhooks.ts';
import { LostEffects } from './lost-effects.ts';

const withinMs = 60_000;
const folders = await makeDataFolders();
after(() => folders.clear());

/** The address of one server, or of several of which one is the primary. */
function urlOf(...servers: readonly PostgresServer[]): string {
  const [first] = servers;
  const { user, database } = first!.connection;
  const list = (of: (server: PostgresServer) => string | number) => servers.map(of).join(',');
  const host = list(({ connection }) => connection.host);
  const port = list(({ connection }) => connection.port);
  const query = new URLSearchParams({ host, port, user, target_session_attrs: 'read-write' });
  return `postgres:///${database}?${query}`;
}

/** A PostgreSQL that is kept and put back. */
interface Kept {
  url: string;
  /** Before anything is in it that must be kept. */
  prepare?(): Promise<void>;
  /** Keeps it as it is now. */
  keep(service: ServiceRunner): Promise<void>;
  /** Loses it, and puts back what was kept. Returns its address. */
  putBack(service: ServiceRunner): Promise<string>;
  stop(): Promise<void>;
}

/** A way to keep a database. */
interface Way {
  open(): Promise<Kept>;
  why: EpochReason;
  /** The guide's third step: needed where nothing else shows that something was lost. */
  isDeclared: boolean;
}

const copyCold = async (dataDir: string): Promise<string> => {
  const copy = folders.folder();
  await promisify(execFile)('cp', ['-pR', dataDir, copy]);
  return copy;
};

const ways: Readonly<Record<string, Way>> = {
  'a copy of the data folder, stopped': {
    why: 'declared',
    isDeclared: true,
    async open() {
      let server = await PostgresServer.start(await folders.usedFolder());
      let copy = '';
      return {
        url: urlOf(server),
        async keep(service) {
          await service.end();
          await server.stop();
          copy = await copyCold(server.dataDir);
          await server.restart();
          await service.start();
        },
        async putBack(service) {
          await service.end();
          await server.stop();
          server = await PostgresServer.start(copy);
          return urlOf(server);
        },
        stop: () => server.stop(),
      };
    },
  },
  'a base backup': {
    why: 'declared',
    isDeclared: true,
    async open() {
      let server = await PostgresServer.start(await folders.usedFolder());
      const copy = folders.folder();
      return {
        url: urlOf(server),
        keep: () => backUpRunning(server.dataDir, copy),
        async putBack(service) {
          await service.kill();
          await server.kill();
          server = await PostgresServer.start(copy);
          return urlOf(server);
        },
        stop: () => server.stop(),
      };
    },
  },
  'a point in time': {
    why: 'server',
    isDeclared: false,
    async open() {
      const dataDir = await folders.usedFolder();
      const archive = folders.folder();
      await mkdir(archive);
      // PostgreSQL may run as another account.
      await chmod(archive, 0o777);
      const settings = `archive_mode = on\narchive_command = 'cp %p ${archive}/%f'\n`;
      await appendFile(path.join(dataDir, 'postgres/postgresql.conf'), settings);
      let server = await PostgresServer.start(dataDir);
      const copy = folders.folder();
      let instant = '';
      return {
        url: urlOf(server),
        prepare: () => backUpRunning(dataDir, copy),
        async keep() {
          const [row] = await asSuperuser(server, 'SELECT clock_timestamp()::text AS now');
          instant = String(row!['now']);
        },
        async putBack(service) {
          await service.kill();
          const last = 'SELECT pg_walfile_name(pg_switch_wal()) AS file';
          const [row] = await asSuperuser(server, last);
          const archived = `SELECT last_archived_wal >= '${String(row!['file'])}' AS done FROM pg_stat_archiver`;
          await eventually(
            async () => (await asSuperuser(server, archived))[0]!['done'] === true,
            withinMs,
          );
          await server.kill();
          await appendFile(
            path.join(copy, 'postgres/postgresql.conf'),
            `archive_mode = off\nrestore_command = 'cp ${archive}/%f %p'\n` +
              `recovery_target_time = '${instant}'\nrecovery_target_action = 'promote'\n`,
          );
          await writeFile(path.join(copy, 'postgres/recovery.signal'), '');
          server = await PostgresServer.start(copy);
          await promoted(server);
          return urlOf(server);
        },
        stop: () => server.stop(),
      };
    },
  },
  'a standby that was behind': {
    why: 'server',
    isDeclared: false,
    async open() {
      const pair = await openStandbyPair(await folders.usedFolder(), folders.folder());
      const { primary, standby } = pair;
      return {
        url: urlOf(primary, standby),
        async keep() {
          await pair.caughtUp();
          await asSuperuser(standby, `ALTER SYSTEM SET primary_conninfo = ''`);
          await asSuperuser(standby, 'SELECT pg_reload_conf()');
          const followers = 'SELECT count(*)::integer AS count FROM pg_stat_replication';
          await eventually(
            async () => (await asSuperuser(primary, followers))[0]!['count'] === 0,
            withinMs,
          );
        },
        // The service runs on, and finds it by itself.
        async putBack() {
          await primary.kill();
          await pair.promote();
          await promoted(standby);
          return urlOf(primary, standby);
        },
        stop: () => standby.stop(),
      };
    },
  },
};

const promoted = (server: PostgresServer): Promise<void> =>
  eventually(
    async () =>
      (await asSuperuser(server, 'SELECT pg_is_in_recovery() AS waits'))[0]!['waits'] === false,
    withinMs,
  );

/**
 * What a body says. A record of money is entered again: in another epoch, at another moment, and for the reference that a
 * booking gets when its partner submits it again.
 */
function contentOf(body: string): string {
  const content = JSON.parse(body) as Record<string, unknown>;
  const { epoch, sequence: _, happenedAt: __, reference: ___, ...ofMoney } = content;
  return JSON.stringify(epoch === undefined ? content : ofMoney);
}

/** Requests that were accepted, by their `webhook-id`. */
class Remembering {
  readonly bodies = new Map<string, string[]>();

  readonly accept = (response: Parameters<Receiver['reply']>[0], arrival: Arrival): void => {
    const id = String(arrival.headers['webhook-id']);
    this.bodies.set(id, [...(this.bodies.get(id) ?? []), arrival.body]);
    respond(204)(response, arrival);
  };
}

for (const [name, way] of Object.entries(ways)) {
  describe(`put back › ${name}`, () => {
    const ends: (() => Promise<unknown>)[] = [];
    after(async () => {
      for (const end of ends.toReversed()) await end();
    });

    // Spec: RESTORE-1, RESTORE-2.
    it('nothing is charged, refunded or told twice under another name', async () => {
      const receiver = await Receiver.start(respond(503));
      ends.push(() => receiver.close());
      const cards: CardPayments = await openCardPayments();
      ends.push(async () => cards[Symbol.asyncDispose]());
      const kept = await way.open();
      ends.push(() => kept.stop());
      const masterKey = await usedMasterKey();
      const open = (connectionString: string): Database => {
        const database = openDatabase(
          { connectionString },
          openVault(masterKey),
          defaultPoolLimits,
          () => undefined,
        );
        ends.push(() => database.close());
        return database;
      };
      const site = { database: open(kept.url), standIn: cards.standIn };
      await sql(site.database, `UPDATE installation SET environment = 'test'`);
      const env = {
        ...cards.env,
        ...recordsEnv(receiver),
        DATABASE_URL: kept.url,
        LATCHKEY_MASTER_KEY: masterKey.toString('base64'),
        LATCHKEY_LOG_LEVEL: 'warn',
      };
      const service = new ServiceRunner({ dataDir: folders.folder(), port: await freePort(), env });
      ends.push(() => service.end());
      await service.start();
      await kept.prepare?.();
      const card = await registerPartner(
        site.database,
        service.origin,
        { settlement: 'card' },
        'test',
      );
      const { applicationId } = card.credentials;
      await addEndpoint(site.database, applicationId, receiver.url('/events'));

      const lost = new LostEffects(site, card);
      await lost.begin();
      // Both receivers have refused them, so they are sent again later.
      const arrived = () => new Set(receiver.arrivals.map(({ path: to }) => to.split('?')[0]));
      await eventually(async () => arrived().size === 2, withinMs);
      await kept.keep(service);

      const told = new Remembering();
      receiver.reply = told.accept;
      const sendNow = async (): Promise<void> => {
        await sql(
          site.database,
          `UPDATE webhook_deliveries SET due_at = now() WHERE state = 'pending'`,
        );
        await sql(
          site.database,
          'UPDATE reservations SET records_due_at = now() WHERE records_due_at IS NOT NULL',
        );
        await sql(site.database, 'UPDATE payment_records SET due_at = now() WHERE due_at > now()');
      };
      const refusedIds = new Set(
        receiver.arrivals.map(({ headers }) => String(headers['webhook-id'])),
      );
      await eventually(async () => {
        await sendNow();
        return [...refusedIds].every((id) => told.bodies.has(id));
      }, withinMs);
      await lost.happen();

      const url = await kept.putBack(service);
      site.database = open(url);
      if (way.isDeclared) {
        const words = ['restore', 'declare', '--reason', 'the disk of db1', '--json'];
        const declared = await ran(['src/cli/latchkey.ts', ...words], {
          ...env,
          DATABASE_URL: url,
        });
        assert.equal(declared.code, 0, declared.err);
      }
      if (service.process.hasEnded) await service.start({ DATABASE_URL: url });
      await lost.checkPutBack(way.why);

      // What the kept database had not yet told comes again, under the names that it had.
      const events = [...refusedIds].filter((id) => id.startsWith('evt_'));
      assert.ok(events.length > 0);
      await eventually(async () => {
        await sendNow();
        return events.every((id) => told.bodies.get(id)!.length > 1);
      }, withinMs);
      for (const [id, bodies] of told.bodies) {
        assert.equal(new Set(bodies.map(contentOf)).size, 1, id);
      }
    });
  });
}
