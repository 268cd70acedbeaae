/** No URL, however spelled, leads where it must not: asserted at the sockets that are opened. */
import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { WebhookClaim } from '../../src/webhooks/store/claims.ts';
import { remoteUrlRefusal } from '../../src/platform/sending/remote-url.ts';
import { newWebhookSecret } from '../../src/platform/sending/signature.ts';
import { createConnections } from '../../src/platform/sending/connections.ts';
import type { Resolve } from '../../src/platform/sending/destination.ts';
import {
  createDial,
  DialError,
  type Dial,
  type DialTarget,
} from '../../src/platform/sending/dial.ts';
import { startAttempt, type Attempted } from '../../src/webhooks/sender.ts';
import { Receiver } from '../harness/receiver.ts';
import { allowedUrls, forbiddenAddresses, forbiddenUrls } from './forbidden-urls.ts';

const good = '93.184.216.34';
const never = () => () => undefined;

const claimOf = (url: string): WebhookClaim => ({
  deliveryId: '0190a5e0-d3f1-7a1b-b0f2-a1c2d3e4f501',
  endpointId: '0190a5e0-d3f1-7a1b-b0f2-a1c2d3e4f502',
  applicationId: '0190a5e0-d3f1-7a1b-b0f2-a1c2d3e4f503',
  fence: 1,
  url,
  secrets: [newWebhookSecret()],
  secretError: null,
  failing: false,
  failedAttempts: 0,
  now: Date.now(),
  event: {
    eventId: '0190a5e0-d3f1-7a1b-b0f2-a1c2d3e4f506',
    type: 'reservation.confirmed',
    sequence: 1,
    data: {},
    createdAt: Date.now(),
  },
});

/** Attempts a URL; what was dialled is in `dialled`, and nothing of it is let through. */
async function attempt(
  url: string,
  { loopbackAllowed = false, resolve = (async () => [good]) as Resolve } = {},
): Promise<Attempted & { dialled: DialTarget[] }> {
  const dialled: DialTarget[] = [];
  const dial: Dial = (target, done) => {
    dialled.push(target);
    done(new DialError('timeout'), null);
  };
  const connections = createConnections(dial);
  const context = { rules: { loopbackAllowed }, resolve, connections, later: never };
  const attempted = await startAttempt(context, claimOf(url)).done;
  await connections.destroy();
  return { ...attempted, dialled };
}

describe('the URL of an endpoint', () => {
  // Node's diagnostics channel reports every socket of the process.
  const opened: Socket[] = [];
  const note = (message: unknown): void => void opened.push((message as { socket: Socket }).socket);
  before(() => subscribe('net.client.socket', note));
  after(() => {
    unsubscribe('net.client.socket', note);
  });

  it('is forbidden in more than two hundred spellings', () => {
    assert.ok(new Set(forbiddenUrls).size === forbiddenUrls.length);
    assert.ok(forbiddenUrls.length > 200, `${forbiddenUrls.length} URLs`);
  });

  it('is refused when it is added', () => {
    const taken = forbiddenUrls.filter(
      (url) => remoteUrlRefusal(url, { loopbackAllowed: false }) === null,
    );
    assert.deepEqual(taken, []);
  });

  it('opens no socket even if it was stored', async () => {
    const reached: string[] = [];
    for (const url of forbiddenUrls) {
      const openedBefore = opened.length;
      const { dialled, error, status } = await attempt(url);
      const isRefused = error === 'forbidden_address' && status === null;
      if (!isRefused || dialled.length > 0 || opened.length > openedBefore) reached.push(url);
    }
    assert.deepEqual(reached, []);
  });

  it('opens no socket with the real connector either', async () => {
    const connections = createConnections(createDial());
    const rules = { loopbackAllowed: false };
    const context = { rules, resolve: async () => ['127.0.0.1'], connections, later: never };
    const openedBefore = opened.length;
    for (const url of [...forbiddenUrls, 'https://partner.test/hook']) {
      const { status } = await startAttempt(context, claimOf(url)).done;
      assert.equal(status, null);
    }
    assert.equal(opened.length, openedBefore);
    await connections.destroy();
  });

  for (const { url, address, port } of allowedUrls) {
    it(`${url} connects only to ${address} port ${port}`, async () => {
      assert.equal(remoteUrlRefusal(url, { loopbackAllowed: false }), null);
      const { dialled } = await attempt(url);
      assert.deepEqual(
        dialled.map((target) => [target.address, target.port]),
        [[address, port]],
      );
    });
  }

  it('is verified by TLS against its name, not the selected address', async () => {
    const { dialled } = await attempt('https://partner.test/hook');
    assert.deepEqual(dialled, [{ address: good, port: 443, tlsName: 'partner.test' }]);
  });
});

describe('the addresses of a name', () => {
  const named = 'https://partner.test/hook';

  // Spec: WEBHOOK-3.
  it('are refused if one of them is not public, at any position', async () => {
    const reached: string[] = [];
    for (const bad of forbiddenAddresses) {
      for (const answer of [[bad], [bad, good], [good, bad]]) {
        const { error, dialled } = await attempt(named, { resolve: async () => answer });
        if (error !== 'forbidden_address' || dialled.length > 0) reached.push(answer.join());
      }
    }
    assert.deepEqual(reached, []);
  });

  it('are refused in the simulation too: only a URL that names loopback is allowed', async () => {
    const resolve = async () => ['127.0.0.1'];
    const { error, dialled } = await attempt(named, { resolve, loopbackAllowed: true });
    assert.equal(error, 'forbidden_address');
    assert.deepEqual(dialled, []);
  });

  it('are empty if DNS has none or fails', async () => {
    const none = await attempt(named, { resolve: async () => [] });
    assert.equal(none.error, 'dns');
    const failed = await attempt(named, { resolve: () => Promise.reject(new Error('SERVFAIL')) });
    assert.equal(failed.error, 'dns');
  });

  it('are checked at every attempt, even if a connection is still open', async () => {
    const receiver = await Receiver.start();
    const plain = createDial();
    const connections = createConnections((_target, done) =>
      // The public address of the test is the receiver, in plain.
      plain({ address: '127.0.0.1', port: receiver.port, tlsName: null }, done),
    );
    let answer = [good];
    const rules = { loopbackAllowed: false };
    const context = { rules, resolve: async () => answer, connections, later: never };
    const first = await startAttempt(context, claimOf(named)).done;
    await nextTurn();
    const second = await startAttempt(context, claimOf(named)).done;
    assert.deepEqual([first.status, second.status], [204, 204]);
    assert.equal(receiver.connections, 1, 'the connection is used again');
    answer = ['10.0.0.1'];
    const rebound = await startAttempt(context, claimOf(named)).done;
    assert.equal(rebound.error, 'forbidden_address');
    answer = ['1.1.1.1'];
    const moved = await startAttempt(context, claimOf(named)).done;
    assert.equal(moved.status, 204);
    assert.equal(receiver.connections, 2, 'another address has connections of its own');
    await connections.destroy();
    await receiver.close();
  });

  it('are tried in order until one accepts the connection', async () => {
    const tried: string[] = [];
    const dial: Dial = (target, done) => {
      tried.push(target.address);
      done(new DialError('connection'), null);
    };
    const connections = createConnections(dial);
    const rules = { loopbackAllowed: false };
    const resolve = async () => [good, '1.1.1.1', '2606:4700::1111'];
    const context = { rules, resolve, connections, later: never };
    const { error } = await startAttempt(context, claimOf(named)).done;
    assert.equal(error, 'connection');
    assert.deepEqual(tried, [good, '1.1.1.1', '2606:4700::1111']);
    await connections.destroy();
  });
});

describe('loopback', () => {
  const local = ['http://127.0.0.1:3000/', 'http://localhost:3000/', 'http://[::1]:3000/'];

  for (const url of [...local, 'https://localhost:3000/', 'http://api.localhost:3000/']) {
    // Spec: WEBHOOK-3.
    it(`is reached as ${url} only if loopback is allowed`, async () => {
      assert.equal(remoteUrlRefusal(url, { loopbackAllowed: true }), null);
      const allowed = await attempt(url, { loopbackAllowed: true });
      const [target] = allowed.dialled;
      assert.ok(target?.address === '127.0.0.1' || target?.address === '::1');
      const refused = await attempt(url);
      assert.equal(refused.error, 'forbidden_address');
      assert.deepEqual(refused.dialled, []);
    });
  }

  it('does not allow any other address', async () => {
    const loopback = /^https?:\/\/(?:[^/]*localhost\.?|ｌocalhost|127\.|\[::1\])/i;
    const others = forbiddenAddresses.filter(
      (address) => !/^127\.|^(?:0+:){7}0*1$|^::1$/.test(address),
    );
    assert.ok(others.length > 100 && !loopback.test('https://10.0.0.1/'));
    for (const address of others) {
      const host = address.includes(':') ? `[${address}]` : address;
      for (const scheme of ['http', 'https']) {
        const { dialled } = await attempt(`${scheme}://${host}/`, { loopbackAllowed: true });
        assert.deepEqual(dialled, [], `${scheme}://${host}/`);
      }
    }
  });
});
