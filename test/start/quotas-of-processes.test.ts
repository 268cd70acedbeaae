/** Two processes, one quota: over HTTP, with Redis and without. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { makeDataFolders } from '../harness/data-folders.ts';
import { eventually } from '../harness/eventually.ts';
import { Partner } from '../harness/partner.ts';
import { createTestDatabase } from '../harness/postgres.ts';
import { noRedis, TestRedis } from '../harness/redis.ts';
import { registerPartner } from '../harness/registration.ts';
import { sql } from '../harness/rows.ts';
import { launch, onDatabase, type ServiceProcess } from '../harness/service-process.ts';

const perMinute = 20;
const policy = /^"read";q=(?<quota>\d+);w=60$/;

const quotaOf = (headers: Headers): number =>
  Number(policy.exec(headers.get('ratelimit-policy') ?? '')?.groups?.['quota']);

const isFallback = ({ msg }: { msg: string }): boolean => msg.startsWith('quotas are not shared');

/** Two services on one database, and a partner with a small quota at each. */
async function startPair(env: Record<string, string>) {
  const database = await createTestDatabase();
  const folders = await makeDataFolders();
  const both = { ...onDatabase(database), BASE_URL: 'http://latchkey.test', ...env };
  const start = async (): Promise<ServiceProcess> => {
    const service = await launch({ dataDir: folders.folder(), env: both });
    return service.ready();
  };
  const services = [await start(), await start()] as const;
  const first = await registerPartner(database.database, services[0].origin);
  await sql(database.database, 'UPDATE applications SET read_per_minute = $1', [perMinute]);
  const partners = [first, new Partner(services[1].origin, first.credentials)] as const;
  for (const partner of partners) await partner.token();
  return {
    services,
    partners,
    read: (nth: 0 | 1) => partners[nth].call('distribution.site.get', {}),
    async stop() {
      await Promise.all(services.map((service) => service.stop()));
      await database.drop();
      await folders.clear();
    },
  };
}

type Pair = Awaited<ReturnType<typeof startPair>>;

/** Calls both in turn until both refuse; returns how many calls were served. */
async function drain({ read }: Pair): Promise<number> {
  const refuses = [false, false];
  let served = 0;
  while (refuses.includes(false)) {
    for (const nth of [0, 1] as const) {
      const { status } = await read(nth);
      assert.ok([200, 429].includes(status), `status ${status}`);
      refuses[nth] = status === 429;
      if (status === 200) served += 1;
    }
  }
  return served;
}

describe('two processes, with Redis', { skip: noRedis }, () => {
  it('an application has its quota once; without Redis, each process applies its share', async () => {
    const redis = await TestRedis.start();
    const pair = await startPair({ REDIS_URL: redis.url });
    after(async () => {
      await pair.stop();
      await redis.stop();
    });
    const began = performance.now();
    const served = await drain(pair);
    const refill = ((performance.now() - began) * perMinute) / 60_000;
    // On a busy machine Redis may not respond in time. Then both processes apply what was left, at most.
    const fellBack = pair.services.some((service) => service.log().some(isFallback));
    const most = (fellBack ? 2 : 1) * (perMinute + refill) + 1;
    const least = fellBack ? perMinute / 2 : perMinute;
    assert.ok(served >= least && served <= most, `${served} calls, refill ${refill}`);
    await redis.stop();
    await eventually(async () => quotaOf((await pair.read(0)).headers) === perMinute / 2);
  });
});

describe('two processes, without Redis', () => {
  it('each has half the quota, and the whole one when the other has ended', async () => {
    const pair = await startPair({});
    after(() => pair.stop());
    for (const nth of [0, 1] as const) {
      await eventually(async () => quotaOf((await pair.read(nth)).headers) === perMinute / 2);
    }
    await pair.services[1].stop();
    await eventually(async () => quotaOf((await pair.read(0)).headers) === perMinute);
  });
});
