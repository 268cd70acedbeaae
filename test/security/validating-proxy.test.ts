import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, suite, test } from 'node:test';
import { operationIds } from '../../src/contract/operations.ts';
import { openHand } from '../harness/hand.ts';
import { assertError } from '../harness/journey.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { ownCalls } from './calls.ts';
import { ProxiedPartner, startValidatingProxy, type ValidatingProxy } from './validating-proxy.ts';

const complaints = /violation|✖|error\b|warning/i;

suite('a validating proxy by others finds nothing', () => {
  let service: TestService;
  let proxy: ValidatingProxy;

  before(async () => {
    service = await startTestService();
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

  const linesOf = (said: string): string[] =>
    said.split('\n').filter((line) => complaints.test(line));

  test('the demo', async () => {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'lk-proxied-'));
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
    const before = proxy.said().length;
    const demo = path.join(import.meta.dirname, '../../src/demo/main.ts');
    const child = spawn(process.execPath, [demo], {
      env: { PATH: process.env['PATH'] ?? '', LATCHKEY_DATA_DIR: dataDir },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (said += text));
    }
    const [code] = (await once(child, 'close')) as [number | null];
    await rm(dataDir, { recursive: true, force: true });
    assert.equal(code, 0, said);
    assert.deepEqual(linesOf(proxy.said().slice(before)), []);
  });

  test('every operation, as it succeeds', async () => {
    const before = proxy.said().length;
    const hand = await openHand(service.database);
    const owners = { card: await proxied('card'), settled: await proxied('partner') };
    const calls = await ownCalls(owners, hand);
    for (const id of operationIds) {
      const { partner, input } = calls[id];
      const reply = await partner.call(id, input);
      assert.ok(reply.status < 300, `${id} answered ${reply.status}: ${reply.text}`);
    }
    const called = new Set([...owners.card.called, ...owners.settled.called]);
    assert.deepEqual([...called].toSorted(), operationIds.toSorted());
    assert.deepEqual(linesOf(proxy.said().slice(before)), []);
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
});
