/** The command line's webhook and portal commands, beside a running service. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { eventually } from '../harness/eventually.ts';
import { requestStay } from '../harness/events.ts';
import { Partner } from '../harness/partner.ts';
import { PortalCaller } from '../harness/portal.ts';
import { sql } from '../harness/rows.ts';
import {
  usedInstallation,
  type Following,
  type Installation,
  type RunningService,
} from './installation.ts';

interface Endpoint {
  endpointId: string;
  url: string;
  eventTypes: string[] | null;
  state: string;
  stateReason: string | null;
}
interface Delivery {
  deliveryId: string;
  endpointId: string;
  state: string;
  attempts: number;
  lastStatus: number | null;
}
interface List<T> {
  items: T[];
}

let installation: Installation;
let service: RunningService;
let partner: Partner;
let named: string[];
before(async () => {
  installation = await usedInstallation();
  service = await installation.serve();
  const { applications } = await installation.credentials();
  const settled = applications.find(({ settlement }) => settlement === 'partner')!;
  partner = new Partner(service.baseUrl, { ...settled, keyId: '', settlement: 'partner' });
  named = ['--application', settled.applicationId];
});
after(async () => {
  await service.stop();
  await installation.remove();
});

/** A program on this machine that takes events in. */
class Receiver {
  readonly server: Server;
  readonly taken: { headers: Record<string, string>; body: string }[] = [];
  status = 204;

  constructor() {
    this.server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        this.taken.push({ headers: request.headers as Record<string, string>, body });
        response.writeHead(this.status).end();
      });
    });
  }

  async listen(port = 0): Promise<number> {
    this.server.listen(port, 'localhost');
    await once(this.server, 'listening');
    return (this.server.address() as AddressInfo).port;
  }

  get sequences(): number[] {
    return this.taken.map(({ body }) => (JSON.parse(body) as { sequence: number }).sequence);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

const refusal = async (...words: string[]): Promise<string> => {
  const { exitCode, stdout, stderr } = await installation.latchkey(words);
  assert.deepEqual([exitCode, stdout], [1, '']);
  return stderr;
};

describe('webhook endpoint', () => {
  const url = 'https://partner.invalid/hook?token=hidden';
  let endpointId: string;
  const endpoints = async () =>
    (await installation.done<List<Endpoint>>(['webhook', 'endpoint', 'list', ...named])).items;

  it('add › prints ID and secret, and the endpoint is there', async () => {
    const words = ['webhook', 'endpoint', 'add', ...named, '--url', url];
    const added = await installation.done<{ endpointId: string; secret: string }>([
      ...words,
      '--events',
      'reservation.confirmed,checkout.resolved',
    ]);
    assert.deepEqual(Object.keys(added), ['endpointId', 'secret']);
    assert.match(added.secret, /^whsec_/);
    ({ endpointId } = added);
    const [endpoint] = await endpoints();
    assert.deepEqual(
      [endpoint?.endpointId, endpoint?.url, endpoint?.eventTypes, endpoint?.state],
      [endpointId, url, ['checkout.resolved', 'reservation.confirmed'], 'active'],
    );
  });

  it('pause, resume › the endpoint as it then is', async () => {
    const one = ['--endpoint', endpointId];
    const paused = await installation.done<Endpoint>(['webhook', 'endpoint', 'pause', ...one]);
    assert.deepEqual([paused.state, paused.stateReason], ['paused', 'by_hand']);
    for (const missed of [[], ['--missed', 'skip']]) {
      const words = ['webhook', 'endpoint', 'resume', ...one, ...missed];
      assert.equal((await installation.done<Endpoint>(words)).state, 'active');
    }
  });

  it('rotate-secret › the new one, and the end of the one before', async () => {
    const words = ['webhook', 'endpoint', 'rotate-secret', '--endpoint', endpointId];
    const rotated = await installation.done<{ secret: string; previousSecretUntil: string }>(words);
    assert.match(rotated.secret, /^whsec_/);
    const hours = (Date.parse(rotated.previousSecretUntil) - Date.now()) / 3_600_000;
    assert.ok(hours > 23.5 && hours < 24.5);
  });

  it('delete › the endpoint no longer exists', async () => {
    const words = ['webhook', 'endpoint', 'delete', '--endpoint', endpointId];
    assert.deepEqual(await installation.done(words), { endpointId });
    assert.deepEqual(await endpoints(), []);
    assert.match(await refusal(...words), new RegExp(`There is no endpoint ${endpointId}`));
  });

  it('refuses what cannot be: an unknown application or endpoint, a private address', async () => {
    const nobody = ['--application', randomUUID()];
    const add = ['webhook', 'endpoint', 'add'];
    assert.match(await refusal(...add, ...nobody, '--url', url), /There is no application/);
    assert.match(await refusal('webhook', 'endpoint', 'list', ...nobody), /no application/);
    assert.match(
      await refusal(...add, ...named, '--url', 'https://10.0.0.1/'),
      /not on the public/,
    );
    for (const verb of ['pause', 'resume', 'rotate-secret', 'delete']) {
      const words = ['webhook', 'endpoint', verb, '--endpoint', randomUUID()];
      assert.match(await refusal(...words), /There is no endpoint/);
    }
  });

  it('is entered in the audit trail with the account, without secret and query', async () => {
    const storage = await installation.storage();
    const entries = await sql<{ actor: string; action: string; details: object }>(
      storage.database,
      `SELECT actor, action, details FROM audit_entries WHERE action LIKE 'webhook.%'
        ORDER BY entry_id`,
    );
    await storage.close();
    assert.deepEqual(
      entries.map(({ action }) => action.replace('webhook.endpoint.', '')),
      ['add', 'pause', 'resume', 'resume', 'rotate-secret', 'delete'],
    );
    assert.ok(entries.every(({ actor }) => actor.startsWith('cli:')));
    assert.doesNotMatch(JSON.stringify(entries), /whsec_|hidden/);
  });
});

describe('webhook delivery', () => {
  let receiver: Receiver;
  let endpointId: string;
  before(async () => {
    receiver = new Receiver();
    receiver.status = 500;
    const url = `http://localhost:${await receiver.listen()}/hook`;
    const words = ['webhook', 'endpoint', 'add', ...named, '--url', url];
    ({ endpointId } = await installation.done<{ endpointId: string }>(words));
    await requestStay(partner, await partner.freeStay());
  });
  after(() => receiver.close());

  const deliveries = async (...flags: string[]) =>
    (await installation.done<List<Delivery>>(['webhook', 'delivery', 'list', ...named, ...flags]))
      .items;

  it('list › newest first, with its filters', async () => {
    const one = ['--endpoint', endpointId];
    await eventually(
      async () => {
        const found = await deliveries(...one);
        return found.length === 2 && found.every(({ lastStatus }) => lastStatus === 500);
      },
      30_000,
      500,
    );
    const { stdout } = await installation.latchkey(['webhook', 'delivery', 'list', ...named]);
    const [head = '', newest = ''] = stdout.split('\n');
    assert.match(head, /^DELIVERY ID +ENDPOINT ID +EVENT ID +TYPE/);
    assert.match(newest, new RegExp(`${endpointId} +evt_[0-9a-f]{32} `));
    assert.equal((await deliveries(...one, '--limit', '1')).length, 1);
    assert.equal((await deliveries(...one, '--state', 'retrying')).length, 2);
    assert.deepEqual(await deliveries(...one, '--state', 'pending'), []);
    assert.deepEqual(await deliveries(...one, '--state', 'exhausted'), []);
    assert.deepEqual(await deliveries('--endpoint', randomUUID()), []);
  });

  it('endpoint list › shows a failing endpoint as failing, with what is tried again', async () => {
    interface Listed extends Endpoint {
      health: string;
      failingSince: string | null;
      retrying: number;
      exhausted: number;
    }
    const listing = ['webhook', 'endpoint', 'list', ...named];
    const { items } = await installation.done<List<Listed>>(listing);
    const failing = items.find((one) => one.endpointId === endpointId);
    assert.deepEqual(
      [failing?.state, failing?.health, failing?.retrying, failing?.exhausted],
      ['active', 'failing', 2, 0],
    );
    assert.ok(failing?.failingSince);
    const { stdout } = await installation.latchkey(listing);
    assert.match(stdout, /STATE +STATE REASON +HEALTH +FAILING SINCE +RETRYING +EXHAUSTED/);
    assert.match(stdout, /active +- +failing /);
  });

  it('replay, replay-failed › a running service sends at once', async () => {
    receiver.status = 204;
    const [first] = await deliveries('--endpoint', endpointId);
    const words = ['webhook', 'delivery', 'replay', '--delivery', first!.deliveryId];
    const replayed = await installation.done<Delivery>(words);
    assert.deepEqual([replayed.deliveryId, replayed.attempts], [first!.deliveryId, 0]);
    const failed = ['webhook', 'delivery', 'replay-failed', '--endpoint', endpointId];
    await installation.done<{ replayed: number }>([...failed, '--since', '1h']);
    await eventually(
      async () => (await deliveries('--state', 'delivered')).length === 2,
      30_000,
      500,
    );
    const later = await installation.done([...failed, '--since', '2027-01-01T00:00:00Z']);
    assert.deepEqual(later, { replayed: 0 });
  });

  it('replay-missed › what a resumption passed over', async () => {
    const words = ['webhook', 'delivery', 'replay-missed', '--endpoint', endpointId];
    assert.deepEqual(await installation.done(words), { replayed: 0 });
    const one = ['--endpoint', endpointId];
    await installation.done(['webhook', 'endpoint', 'pause', ...one]);
    await requestStay(partner, await partner.freeStay());
    await eventually(async () => {
      const listing = ['webhook', 'endpoint', 'list', ...named];
      const { items } = await installation.done<List<Endpoint & { missed: number }>>(listing);
      return items[0]?.missed === 2;
    }, 30_000);
    await installation.done(['webhook', 'endpoint', 'resume', ...one, '--missed', 'skip']);
    assert.deepEqual(await installation.done(words), { replayed: 2 });
  });

  it('refuses what is not there', async () => {
    const id = randomUUID();
    assert.match(
      await refusal('webhook', 'delivery', 'replay', '--delivery', id),
      /There is no delivery/,
    );
    assert.match(
      await refusal('webhook', 'delivery', 'replay-missed', '--endpoint', id),
      /There is no endpoint/,
    );
    assert.match(
      await refusal('webhook', 'delivery', 'list', '--application', id),
      /There is no application/,
    );
  });
});

describe('portal link', () => {
  it('opens the portal of the application, once', async () => {
    const link = await installation.done<{ url: string; expiresAt: string }>([
      'portal',
      'link',
      ...named,
    ]);
    assert.deepEqual(Object.keys(link), ['url', 'expiresAt']);
    const hours = (Date.parse(link.expiresAt) - Date.now()) / 3_600_000;
    assert.ok(hours > 23.5 && hours < 24.5);
    const [page, token = ''] = link.url.split('#link=');
    assert.match(page ?? '', /\/portal$/);
    const caller = new PortalCaller(service.baseUrl);
    assert.equal((await caller.enter(token)).status, 201);
    const { application } = await caller.succeed('portal.session.get');
    assert.equal(application.applicationId, named[1]);
    assert.equal((await caller.enter(token)).status, 401);
  });

  it('names the address of the installation, unless the environment names another', async () => {
    const words = ['portal', 'link', ...named, '--json'];
    const urlWith = async (env: NodeJS.ProcessEnv): Promise<string> => {
      const { stdout } = await installation.latchkey(words, env);
      return (JSON.parse(stdout) as { url: string }).url;
    };
    assert.ok((await urlWith({})).startsWith(`${service.baseUrl}/portal#link=`));
    assert.match(await urlWith({ PORT: '9' }), /^http:\/\/localhost:9\/portal#/);
    assert.match(
      await urlWith({ BASE_URL: 'https://a.example/x' }),
      /^https:\/\/a\.example\/x\/portal#/,
    );
  });

  it('is refused for an application that is not there', async () => {
    assert.match(await refusal('portal', 'link', '--application', randomUUID()), /no application/);
  });
});

describe('webhook listen', () => {
  const linesOf = (following: Following): Record<string, unknown>[] =>
    following
      .printed()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  const book = async () => requestStay(partner, await partner.freeStay());
  let secretOfFirstRun = '';

  it('posts each event, signed, in order, and says what came back; Ctrl-C ends it well', async () => {
    const receiver = new Receiver();
    const port = await receiver.listen();
    const forwardTo = `http://localhost:${port}/hook`;
    const following = installation.follow([
      'webhook',
      'listen',
      '--forward-to',
      forwardTo,
      '--json',
    ]);
    await eventually(async () => linesOf(following).length === 1, 30_000);
    const [first] = linesOf(following);
    assert.deepEqual([first?.['applicationId'], first?.['forwardTo']], [named[1], forwardTo]);
    await book();
    await eventually(async () => receiver.taken.length === 2, 30_000);
    receiver.status = 500;
    await book();
    await eventually(async () => receiver.taken.length === 4, 30_000);
    secretOfFirstRun = String(first?.['secret']);
    const webhook = new Webhook(secretOfFirstRun);
    for (const { headers, body } of receiver.taken) webhook.verify(body, headers);
    const [start = 0] = receiver.sequences;
    assert.deepEqual(receiver.sequences, [start, start + 1, start + 2, start + 3]);
    await eventually(async () => linesOf(following).length === 5);
    const { exitCode, stderr } = await following.interrupt();
    assert.deepEqual([exitCode, stderr], [0, '']);
    const lines = linesOf(following);
    assert.deepEqual(
      lines.slice(1, 5).map(({ sequence, status }) => [sequence, status]),
      receiver.sequences.map((sequence, index) => [sequence, index < 2 ? 204 : 500]),
    );
    assert.deepEqual(lines.at(-1), { forwarded: 4 });
    await receiver.close();
  });

  it('waits for a program that does not listen, reports this, and loses neither event nor order', async () => {
    const probe = new Receiver();
    const port = await probe.listen();
    await probe.close();
    const forwardTo = `http://localhost:${port}/`;
    const following = installation.follow(['webhook', 'listen', '--forward-to', forwardTo]);
    await eventually(async () => following.printed().includes('whsec_'), 30_000);
    await book();
    await book();
    await eventually(
      async () => /No response from .*Start your program/.test(following.printed()),
      30_000,
    );
    const receiver = new Receiver();
    await receiver.listen(port);
    await eventually(async () => receiver.taken.length >= 4, 30_000);
    assert.deepEqual(
      receiver.sequences,
      receiver.sequences.toSorted((a, b) => a - b),
    );
    assert.equal(new Set(receiver.sequences).size, 4);
    const { exitCode, stdout } = await following.interrupt();
    assert.equal(exitCode, 0);
    const file = path.join(installation.dataDir, 'webhook-listen', `${named[1]}.secret`);
    const kept = (await readFile(file, 'utf8')).trim();
    assert.ok(stdout.includes(kept) && kept === secretOfFirstRun, 'the secret of the run before');
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.equal(stdout.match(/No response from/g)?.length, 1);
    assert.equal(stdout.match(/ {2}204 {2}\d+ ms$/gm)?.length, 4);
    await receiver.close();
  });

  it('is refused without a service, and for an application that is not there', async () => {
    const forward = ['webhook', 'listen', '--forward-to', 'http://localhost:3000/'];
    assert.match(await refusal(...forward, '--application', randomUUID()), /no application/);
    const alone = await usedInstallation();
    const { exitCode, stderr } = await alone.latchkey(forward);
    await alone.remove();
    assert.equal(exitCode, 1);
    assert.match(stderr, /No service runs on .*npm start/);
  });
});
