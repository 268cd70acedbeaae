/** Backups of a data folder: what was acknowledged is in the copy, and the copy works. */
import { existsSync } from 'node:fs';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFile, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import pg from 'pg';
import { backUpRunning } from '../harness/base-backup.ts';
import { withDatabaseOf } from '../harness/embedded.ts';
import type { Event } from '../harness/events.ts';
import { Partner, type Credentials, type OpenCheckout } from '../harness/partner.ts';
import { registerPartner } from '../harness/registration.ts';
import { guideBlocks } from '../harness/guide-blocks.ts';
import { launch, serve, type ServiceProcess } from '../harness/service-process.ts';
import { makeDataFolders } from '../harness/data-folders.ts';

const run = promisify(execFile);
const dataFolders = await makeDataFolders();
after(() => dataFolders.clear());

const keyOf = (dataDir: string): string => path.join(dataDir, 'master.key');

/** A booking as its partner knows it. */
interface Booked {
  open: OpenCheckout;
  reference: string;
}

async function book(partner: Partner): Promise<Booked> {
  const open = await partner.submittedCheckout();
  const { reference } = await partner.statusOnce(open, ['confirmed']);
  assert.ok(reference);
  return { open, reference };
}

async function feed(partner: Partner): Promise<{ items: Event[]; nextCursor: string }> {
  return partner.succeed('reservation.event.list', { query: { limit: 50 } });
}

const partnerOf = (service: ServiceProcess): Promise<Partner> =>
  withDatabaseOf(service.dataDir, (database) => registerPartner(database, service.origin));

/** The same partner with the same key, at another service. */
const sameAt = (service: ServiceProcess, partner: Partner): Partner =>
  new Partner(service.origin, partner.credentials);

/** The booking is there, with its guest, its confirmation and its reservation. */
async function hasWhole(partner: Partner, { open, reference }: Booked): Promise<void> {
  const checkout = await partner.succeed('reservation.checkout.get', open.at);
  assert.equal(checkout.reference, reference);
  assert.equal(checkout.guest?.email, 'ada@example.com');
  const confirmation = await partner.succeed('reservation.checkout.getConfirmation', open.at);
  assert.equal(confirmation.reference, reference);
  await partner.succeed('reservation.reservation.get', { params: { reference } });
}

/** The first application of the simulation, with the key that the file tells. */
async function sandboxPartner(file: string): Promise<Credentials> {
  const { applications } = JSON.parse(await readFile(file, 'utf8')) as {
    applications: Omit<Credentials, 'keyId'>[];
  };
  const [application] = applications;
  assert.ok(application);
  return { ...application, keyId: '' };
}

async function copyOf(dataDir: string): Promise<string> {
  const copy = dataFolders.folder();
  // Unlike `fs.cp`, this keeps the owner.
  await run('cp', ['-pR', dataDir, copy]);
  return copy;
}

describe('a copy of the data folder of a stopped service', () => {
  let service: ServiceProcess;
  let partner: Partner;
  let booked: Booked[];
  let events: Event[];
  let copy: string;
  let lost: Booked;
  let cursorAhead: string;

  before(async () => {
    const dataDir = await dataFolders.usedFolder();
    const first = await serve({ dataDir });
    partner = await partnerOf(first);
    booked = [await book(partner), await book(partner)];
    ({ items: events } = await feed(partner));
    await first.stop();
    copy = await copyOf(dataDir);

    // What the copy does not have.
    service = await serve({ dataDir });
    partner = sameAt(service, partner);
    lost = await book(partner);
    ({ nextCursor: cursorAhead } = await feed(partner));
  });
  after(() => service.stop());

  it('has all data acknowledged before the copy, and runs beside the original', async () => {
    const restored = await serve({ dataDir: copy });
    const there = sameAt(restored, partner);
    for (const one of booked) await hasWhole(there, one);
    assert.deepEqual((await feed(there)).items, events);
    await hasWhole(there, await book(there));
    const { items } = await feed(there);
    assert.deepEqual(items.slice(0, events.length), events);
    assert.deepEqual(
      items.map(({ sequence }) => sequence),
      items.map((_, index) => index + 1),
    );

    const query = { cursor: cursorAhead };
    const ahead = await there.refused('reservation.event.list', { query });
    assert.deepEqual([ahead.status, ahead.code], [422, 'resync_required']);
    assert.doesNotMatch(restored.output, /new keys|initialising|migrated/);
    await restored.stop();
  });

  it('does not have later data, and accepts it again under the same IDs', async () => {
    const restored = await serve({ dataDir: await copyOf(copy) });
    const there = sameAt(restored, partner);
    const { open } = lost;
    assert.equal((await there.refused('reservation.checkout.get', open.at)).status, 404);
    const { quoteId, checkIn, checkOut, listingId } = open.quote;
    const stay = { quoteId, checkIn, checkOut, listingId, party: { adults: 2 } };
    await there.succeed('reservation.quote.create', { body: stay }, 201);
    const body = { checkoutId: open.created.checkoutId, quoteId };
    const again = await there.succeed('reservation.checkout.create', { body }, 201);
    assert.equal(again.state, 'needs_guest');
    await restored.stop();
  });

  it('without its master key is refused, until the key is put back', async () => {
    const keyless = await copyOf(copy);
    await rm(keyOf(keyless));
    const refused = await launch({ dataDir: keyless });
    assert.deepEqual(await refused.ended, { code: 1, signal: null });
    assert.equal(
      refused.stderr,
      'Latchkey did not start. This database was sealed with another master key: ' +
        'set LATCHKEY_MASTER_KEY, or put back master.key in the data folder.\n',
    );
    assert.equal(existsSync(keyOf(keyless)), false, 'no other key is made');
    await copyFile(keyOf(copy), keyOf(keyless));
    const restored = await serve({ dataDir: keyless });
    await hasWhole(sameAt(restored, partner), booked[0]!);
    await restored.stop();
  });

  it('starts with its master key in the environment', async () => {
    const keyless = await copyOf(copy);
    const key = await readFile(keyOf(keyless), 'utf8');
    await rm(keyOf(keyless));
    const restored = await serve({ dataDir: keyless, env: { LATCHKEY_MASTER_KEY: key.trim() } });
    await hasWhole(sameAt(restored, partner), booked[0]!);
    await restored.stop();
  });

  it('without sandbox-credentials.json issues new keys, and the old ones still work', async () => {
    const fileless = await copyOf(copy);
    const file = path.join(fileless, 'sandbox-credentials.json');
    const earlier = await sandboxPartner(file);
    await rm(file);
    const restored = await serve({ dataDir: fileless });
    assert.match(restored.stdout, /sandbox-credentials\.json was not there: new keys were issued/);
    const now = await sandboxPartner(file);
    assert.notEqual(now.applicationKey, earlier.applicationKey);
    for (const credentials of [earlier, now]) {
      await new Partner(restored.origin, credentials).freshToken();
    }
    await restored.stop();
  });
});

/** A backup of the running database, with its key. */
async function backedUp(dataDir: string): Promise<string> {
  const copy = dataFolders.folder();
  await backUpRunning(dataDir, copy);
  await copyFile(keyOf(dataDir), keyOf(copy));
  return copy;
}

describe('a backup of the database of a running service', () => {
  it('has all data acknowledged before the backup, while bookings continue', async () => {
    const service = await serve({ dataDir: await dataFolders.usedFolder() });
    const partner = await partnerOf(service);
    const booked = [await book(partner), await book(partner)];
    const { items: events } = await feed(partner);

    let copied = false;
    const meanwhile = (async () => {
      const more: Booked[] = [];
      while (!copied) more.push(await book(partner));
      return more;
    })();
    const copy = await backedUp(service.dataDir).finally(() => {
      copied = true;
    });
    assert.ok((await meanwhile).length > 0);

    const restored = await serve({ dataDir: copy });
    const there = sameAt(restored, partner);
    for (const one of booked) await hasWhole(there, one);
    assert.deepEqual((await feed(there)).items.slice(0, events.length), events);
    await hasWhole(there, await book(there));
    await restored.stop();
    await service.stop();
  });

  it('is taken by pg_basebackup with the password that the guide reads', async () => {
    const block = guideBlocks.find(({ text }) => text.includes('pg_basebackup --host="$PWD/'));
    const [, file] = /cat (\.latchkey\/\S+?)\)/.exec(block?.text ?? '') ?? [];
    assert.ok(file, 'the guide reads a password');

    const service = await serve({ dataDir: await dataFolders.usedFolder() });
    const host = path.join(service.dataDir, 'postgres');
    // What pg_basebackup begins with.
    const identified = async (password: string): Promise<number> => {
      const options = { host, user: 'postgres', password, replication: 'true' };
      const client = new pg.Client(options as pg.ClientConfig);
      try {
        await client.connect();
        return (await client.query('IDENTIFY_SYSTEM')).rows.length;
      } finally {
        await client.end();
      }
    };
    const password = await readFile(file.replace('.latchkey', service.dataDir), 'utf8');
    assert.equal(await identified(password), 1);
    await assert.rejects(identified('another'), /password authentication failed/);
    await service.stop();
  });
});
