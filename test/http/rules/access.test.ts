import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { after, before, suite, test } from 'node:test';
import { readConfig } from '../../../src/config/config.ts';
import { suspendApplication } from '../../../src/access/store/applications.ts';
import { startService, type Service } from '../../../src/program/service.ts';
import { eventually } from '../../harness/eventually.ts';
import { Partner } from '../../harness/partner.ts';
import { testBaseUrl } from '../../harness/base-url.ts';
import { startTestService, type TestService } from '../../harness/service.ts';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
const env = { LATCHKEY_ROLES: 'api' };
const site = 'distribution.site.get';

suite('rules of access', () => {
  let service: TestService;
  let second: Service;
  let secondOrigin: string;

  before(async () => {
    service = await startTestService(env);
    const config = readConfig({ BASE_URL: testBaseUrl, ...env });
    second = await startService({ config, database: service.database, logger: false, log: silent });
    await second.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = second.app.server.address() as AddressInfo;
    secondOrigin = `http://127.0.0.1:${port}`;
  });
  after(async () => {
    await second.stop();
    await service.stop();
  });

  test('suspension › a valid token is refused by every process', async () => {
    const here = await service.partner();
    const there = new Partner(secondOrigin, here.credentials);
    const token = await here.token();
    for (const who of [here, there]) await who.succeed(site, { token }, 200);
    await suspendApplication(service.database, here.credentials.applicationId, 'a test');
    for (const who of [here, there]) {
      await eventually(async () => (await who.call(site, { token })).status === 401);
    }
  });

  const asked = 5;

  test('quota › searches and calendars count each time, even if nothing has changed', async () => {
    const { listingId, checkIn, checkOut, party } = await (await service.partner()).freeStay();
    const query = { startDate: checkIn, endDate: checkOut };
    const ways: ((who: Partner) => Promise<{ status: number }>)[] = [
      (who) => who.call('distribution.listing.search', { body: { checkIn, checkOut, party } }),
      (who) => who.call('inventory.calendar.get', { params: { listingId }, query }),
    ];
    for (const ask of ways) {
      const who = await service.partner({ quotas: { search: asked } });
      for (let nth = 0; nth < asked; nth += 1) assert.equal((await ask(who)).status, 200);
      assert.equal((await ask(who)).status, 429);
    }
  });

  // Spec: QUOTE-6.
  test('quota › quotes of one stay count each time, with different IDs', async () => {
    const stay = await (await service.partner()).freeStay();
    const who = await service.partner({ quotas: { search: asked } });
    const quote = () =>
      who.call('reservation.quote.create', { body: { quoteId: randomUUID(), ...stay } });
    for (let nth = 0; nth < asked; nth += 1) assert.equal((await quote()).status, 201);
    assert.equal((await quote()).status, 429);
  });
});
