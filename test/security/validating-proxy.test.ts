import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { after, before, suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { operationIds } from '../../src/contract/partner/operations.ts';
import { scratchFolder } from '../harness/scratch-folder.ts';
import { openTestWorker, type TestWorker } from '../harness/test-worker.ts';
import { assertError } from '../harness/journey.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { ownCalls } from './successful-calls.ts';
import { ProxiedPartner, startValidatingProxy, type ValidatingProxy } from './validating-proxy.ts';

suite('a validating proxy by others finds nothing', () => {
  let service: TestService;
  let proxy: ValidatingProxy;
  let testWorker: TestWorker;

  before(async () => {
    service = await startTestService({ LATCHKEY_ROLES: 'api' });
    testWorker = await openTestWorker(service.database);
    proxy = await startValidatingProxy(service.origin);
  });
  after(async () => {
    await proxy.stop();
    await service.stop();
  });

  const proxied = async (settlement: 'card' | 'partner'): Promise<ProxiedPartner> => {
    const { credentials } = await service.partner({ settlement });
    return new ProxiedPartner(proxy.origin, credentials);
  };

  /** Does what a worker would, until something is over. */
  async function workUntil(over: Promise<unknown>): Promise<void> {
    let isOver = false;
    void over.then(() => (isOver = true));
    while (!isOver) {
      await testWorker.runDue();
      await sleep(100);
    }
  }

  test('the demo', async () => {
    const dataDir = await mkdtemp(path.join(scratchFolder, 'lk-proxied-'));
    const applications = [await proxied('card'), await proxied('partner')].map(
      ({ credentials: { applicationId, applicationKey, settlement } }) => ({
        name: `Demo, ${settlement}`,
        settlement,
        applicationId,
        applicationKey,
      }),
    );
    const credentials = JSON.stringify({ baseUrl: proxy.origin, applications });
    await writeFile(path.join(dataDir, 'sandbox-credentials.json'), credentials);
    const demo = path.join(import.meta.dirname, '../../src/demo/main.ts');
    const child = spawn(process.execPath, [demo], {
      env: { PATH: process.env['PATH'] ?? '', LATCHKEY_DATA_DIR: dataDir },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (said += text));
    }
    const ended = once(child, 'close') as Promise<[number | null]>;
    await workUntil(ended);
    const [code] = await ended;
    await rm(dataDir, { recursive: true, force: true });
    assert.equal(code, 0, said);
  });

  test('every operation, as it succeeds', async () => {
    const owners = { card: await proxied('card'), settled: await proxied('partner') };
    const calls = await ownCalls(owners, testWorker);
    for (const id of operationIds) {
      const { partner, input } = calls[id];
      const reply = await partner.call(id, input);
      assert.ok(reply.status < 300, `${id} returned ${reply.status}: ${reply.text}`);
    }
    const called = new Set([...owners.card.called, ...owners.settled.called]);
    assert.deepEqual([...called].toSorted(), operationIds.toSorted());
  });

  test('errors of the contract, 304 included', async () => {
    const partner = await proxied('partner');
    const params = { listingId: randomUUID() };
    assertError(await partner.refused('distribution.listing.get', { params }), [404, 'not_found']);
    const open = await partner.checkout();
    const stale = { expectedVersion: 9, termsVersion: 'x', termsAccepted: true as const };
    const asked = { ...open.at, body: stale };
    const error = await partner.refused('reservation.checkout.submit', asked);
    assertError(error, [412, 'precondition_failed']);
    const noSession = { ...open.at, session: 'wrong' };
    const refused = await partner.refused('reservation.checkout.get', noSession);
    assertError(refused, [403, 'forbidden', 'session_capability']);
    const { headers } = await partner.call('distribution.site.get');
    const again = { headers: { 'if-none-match': headers.get('etag') ?? '' } };
    assert.equal((await partner.call('distribution.site.get', again)).status, 304);
  });

  test('the proxy detects an invalid request and an invalid response', async () => {
    const partner = await proxied('partner');
    const headers = { authorization: `Bearer ${await partner.token()}` };
    const asked = await fetch(`${proxy.origin}/v1/listings?limit=51`, { headers });
    assert.equal(asked.status, 422);
    assert.match(await asked.text(), /limit/);

    const liar = createServer((_request, response) => {
      response.setHeader('content-type', 'application/json').end('{"name":"Casa"}');
    });
    await once(liar.listen(0, '127.0.0.1'), 'listening');
    const { port } = liar.address() as AddressInfo;
    const inFront = await startValidatingProxy(`http://127.0.0.1:${port}`);
    const answered = await fetch(`${inFront.origin}/v1/site`, { headers });
    assert.equal(answered.status, 500);
    assert.match(await answered.text(), /capabilities/);
    await inFront.stop();
    liar.close();
  });
});
