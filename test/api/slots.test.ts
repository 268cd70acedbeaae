/** A row with few slots: each is taken until the call is over, and a call is over when its work is. */
import assert from 'node:assert/strict';
import { request, type ClientRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, suite, test } from 'node:test';
import Type from 'typebox';
import { kindsFor } from '../../src/api/kinds.ts';
import { mount } from '../../src/api/mount.ts';
import { createServer } from '../../src/api/server.ts';
import type { CommonErrorCode } from '../../src/contract/errors.ts';
import type { Row } from '../../src/contract/rows.ts';
import { eventually } from '../harness/eventually.ts';
import { sharedQuota, staffSurface, type StaffActor, type StaffContext } from './staff-surface.ts';

const path = '/staff/v1/notes/import';

const rows = {
  'staff.notes.import': {
    method: 'POST',
    path,
    tag: 'Staff',
    summary: 'Import notes',
    scope: 'notes.write',
    tier: 'staff',
    atOnce: 1,
    body: Type.Object({ file: Type.String() }),
    reply: { 200: Type.Object({ notes: Type.Integer() }) },
    errors: [],
  },
  'staff.notes.export': {
    method: 'GET',
    path,
    tag: 'Staff',
    summary: 'Export notes',
    scope: 'notes.read',
    tier: 'staff',
    atOnce: 1,
    reply: { 200: Type.Object({ notes: Type.Integer() }) },
    errors: [],
  },
} as const satisfies Record<string, Row>;

const { act } = kindsFor<typeof rows, StaffContext, StaffActor, CommonErrorCode>();

suite('slots', () => {
  const app = createServer({ tls: null, trustedProxy: null, logger: false, connections: 100 });
  /** Each ends a handler that is running. */
  let running: ((error?: Error) => void)[] = [];
  const work = () =>
    new Promise<void>((resolve, reject) => {
      running.push((error) => (error ? reject(error) : resolve()));
    });
  const reply = async () => {
    await work();
    return { status: 200 as const, body: { notes: 0 } };
  };
  const operations = {
    'staff.notes.import': act('staff.notes.import', { reply }),
    'staff.notes.export': act('staff.notes.export', { reply }),
  };
  let port: number;
  /** Ends the reading of credentials; null: they are not waited for. */
  let admission: Promise<void> | null = null;

  before(async () => {
    const surface = staffSurface(
      { notes: new Map(), remembered: new Map() },
      sharedQuota(1_000).port,
    );
    const authenticate = async (incoming: Parameters<typeof surface.authenticate>[0]) => {
      await admission;
      return surface.authenticate(incoming);
    };
    mount(app, { ...surface, authenticate, rows, operations });
    await app.listen({ port: 0, host: '127.0.0.1' });
    ({ port } = app.server.address() as AddressInfo);
  });
  after(() => app.close());
  beforeEach(() => {
    running = [];
    admission = null;
  });

  const body = JSON.stringify({ file: 'notes' });

  function begin(method: 'GET' | 'POST' = 'POST', written = body): ClientRequest {
    const headers = {
      'x-staff-key': 'writer',
      ...(method === 'POST' && {
        'content-type': 'application/json',
        'content-length': body.length,
      }),
    };
    const sent = request({ host: '127.0.0.1', port, method, path, headers, agent: false });
    sent.on('error', () => undefined);
    if (method === 'POST') sent.write(written);
    else sent.end();
    return sent;
  }

  const statusOf = (sent: ClientRequest) =>
    new Promise<number>((resolve, reject) => {
      sent.once('error', reject);
      sent.setTimeout(5_000, () => sent.destroy(new Error('the call got a slot')));
      sent.once('response', (response) => {
        response.resume().once('end', () => resolve(response.statusCode!));
      });
    });

  const connections = () =>
    new Promise<number>((resolve, reject) => {
      app.server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
    });

  async function disconnected(sent: ClientRequest): Promise<void> {
    sent.destroy();
    await eventually(async () => (await connections()) === 0);
  }

  /** Proves that the slot is free, and leaves it free. */
  async function expectFree(method: 'GET' | 'POST' = 'POST'): Promise<void> {
    const already = running.length;
    let status: Promise<number> | undefined;
    await eventually(async () => {
      const sent = begin(method);
      status = statusOf(sent);
      let isRefused = false;
      void status.then(
        (one) => (isRefused = one === 429),
        () => undefined,
      );
      await eventually(async () => isRefused || running.length > already);
      return !isRefused;
    });
    running.at(-1)!();
    assert.equal(await status, 200);
  }

  for (const method of ['GET', 'POST'] as const) {
    test(`${method} › a caller that disconnects frees no slot until the handler has ended`, async () => {
      const sent = begin(method);
      await eventually(async () => running.length === 1);
      await disconnected(sent);
      assert.equal(await statusOf(begin(method)), 429);
      running[0]!();
      await expectFree(method);
    });

    test(`${method} › a caller that disconnects while its credentials are read`, async () => {
      const reading = Promise.withResolvers<void>();
      admission = reading.promise;
      const sent = begin(method);
      await eventually(async () => (await connections()) === 1);
      await disconnected(sent);
      admission = null;
      reading.resolve();
      if (method === 'GET') {
        await eventually(async () => running.length === 1);
        assert.equal(await statusOf(begin(method)), 429);
        running[0]!();
      }
      await expectFree(method);
    });
  }

  test('a handler that fails without its caller frees the slot', async () => {
    const sent = begin();
    await eventually(async () => running.length === 1);
    await disconnected(sent);
    running[0]!(new Error('the disk is full'));
    await expectFree();
  });

  test('a body that never arrives frees the slot when the connection closes', async () => {
    const sent = begin('POST', body.slice(1));
    await eventually(async () => (await connections()) === 1);
    assert.equal(await statusOf(begin()), 429);
    sent.destroy();
    await expectFree();
    assert.equal(running.length, 1);
  });

  test('a body that is refused frees the slot', async () => {
    assert.equal(await statusOf(begin('POST', body.replace('file', 'fill'))), 400);
    await expectFree();
  });

  test('a row with a larger body that says not how many at once › the server does not start', () => {
    const surface = staffSurface(
      { notes: new Map(), remembered: new Map() },
      sharedQuota(1_000).port,
    );
    const { atOnce: _, ...row } = rows['staff.notes.import'];
    const large = { 'staff.notes.import': { ...row, bodyBytes: 1_000_000 } };
    const server = createServer({
      tls: null,
      trustedProxy: null,
      logger: false,
      connections: 100,
    });
    assert.throws(
      () => mount(server, { ...surface, rows: large, operations }),
      /staff\.notes\.import declares bodyBytes without atOnce/,
    );
  });
});
