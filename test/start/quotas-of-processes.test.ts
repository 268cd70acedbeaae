/** Two processes, one quota and one of each other limit: over HTTP, with Redis and without. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { limits } from '../../src/contract/limits.ts';
import { operatorLimits } from '../../src/contract/operator/limits.ts';
import { portalLimits } from '../../src/contract/portal/limits.ts';
import { makeDataFolders } from '../harness/data-folders.ts';
import { eventually } from '../harness/eventually.ts';
import { operatorWith } from '../harness/operator.ts';
import { Partner, type Credentials } from '../harness/partner.ts';
import { PortalCaller } from '../harness/portal.ts';
import { createTestDatabase } from '../harness/postgres.ts';
import { noRedis, TestRedis } from '../harness/redis.ts';
import { registerPartner } from '../harness/registration.ts';
import { sql } from '../harness/rows.ts';
import { launch, onDatabase, type ServiceProcess } from '../harness/service-process.ts';
import { exchange } from '../harness/token-endpoint.ts';

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
    read: (nth: 0 | 1) => partners[nth].call('distribution.site.get', {}),
    register: async () => (await registerPartner(database.database, '')).credentials,
    async stop() {
      await Promise.all(services.map((service) => service.stop()));
      await database.drop();
      await folders.clear();
    },
  };
}

type Pair = Awaited<ReturnType<typeof startPair>>;

/** Calls both in turn until both refuse; returns how many calls each has served. */
async function drain(call: (nth: 0 | 1) => Promise<{ status: number }>): Promise<[number, number]> {
  const served: [number, number] = [0, 0];
  const refuses = [false, false];
  while (refuses.includes(false)) {
    for (const nth of [0, 1] as const) {
      const { status } = await call(nth);
      assert.ok(status < 500, `status ${status}`);
      refuses[nth] = status === 429;
      if (status !== 429) served[nth] += 1;
    }
  }
  return served;
}

/** The limits that are not quotas, each with its calls per minute and a call that it counts. */
const otherLimits: readonly {
  name: string;
  perMinute: number;
  call(origin: string, application: Credentials): Promise<{ status: number }>;
  /** The limit before it whose calls count here, too. */
  countsToo?: string;
}[] = [
  { name: 'tokens of an application', perMinute: limits.tokensPerMinute, call: exchange },
  {
    name: 'wrong keys of an application',
    perMinute: limits.wrongSecretsPerMinute,
    call: (origin, application) => exchange(origin, { ...application, applicationKey: 'lk_wrong' }),
  },
  {
    name: 'tokens of unknown applications',
    perMinute: limits.unknownClientTokensPerMinute,
    call: (origin, application) => exchange(origin, { ...application, applicationId: 'nobody' }),
    countsToo: 'wrong keys of an application',
  },
  {
    name: 'links of the portal',
    perMinute: portalLimits.triesPerMinute,
    call: (origin) =>
      new PortalCaller(origin).call('portal.session.begin', { body: { link: 'x' } }),
  },
  {
    name: "calls of the operator's API without credentials",
    perMinute: operatorLimits.triesPerMinute,
    call: (origin) => operatorWith({ origin }, 'nobody', {}).send('operator.signIn.options'),
  },
];

describe('two processes, with Redis', { skip: noRedis }, () => {
  let redis: TestRedis;
  let pair: Pair;
  let application: Credentials;
  let idle: Credentials;
  /** When each limit was full, and how many calls it has served since then. */
  const known = new Map<string, { since: number; served: number }>();

  before(async () => {
    redis = await TestRedis.start();
    pair = await startPair({ REDIS_URL: redis.url });
    application = await pair.register();
    idle = await pair.register();
    // Both know it: otherwise the limit of unknown applications would count, too.
    for (const { origin } of pair.services) await exchange(origin, idle);
  });
  after(async () => {
    await pair.stop();
    await redis.stop();
  });

  // On a busy machine Redis may not respond in time. Then the process applies what was left, at most, each time anew.
  let fallbacksBefore: number | null = null;
  const fallbacks = (): number =>
    fallbacksBefore ??
    pair.services.reduce((sum, service) => sum + service.log().filter(isFallback).length, 0);

  function assertOnce(name: string, limit: number, since: number, served: number): void {
    const most = (limit + ((performance.now() - since) * limit) / 60_000) * (1 + fallbacks());
    const least = fallbacks() > 0 ? limit / 2 : limit;
    assert.ok(served >= least && served <= most + 1, `${name}: ${served} calls, at most ${most}`);
  }

  it('an application has its quota once', async () => {
    const since = performance.now();
    const [first, second] = await drain(pair.read);
    assertOnce('read', perMinute, since, first + second);
  });

  // The calls of each process ended with one that was refused.
  const refused = 2;

  for (const { name, perMinute: limit, call, countsToo } of otherLimits) {
    it(`one limit for both › ${name}`, async () => {
      const earlier = known.get(countsToo ?? '');
      const since = earlier?.since ?? performance.now();
      const used = earlier ? earlier.served + refused : 0;
      const [first, second] = await drain((nth) => call(pair.services[nth].origin, application));
      assertOnce(name, limit, since, used + first + second);
      known.set(name, { since, served: used + first + second });
    });
  }

  describe('that ends', () => {
    before(async () => {
      fallbacksBefore = fallbacks();
      await redis.stop();
    });

    it('each process applies its share of a quota', () =>
      eventually(async () => quotaOf((await pair.read(0)).headers) === perMinute / 2));

    for (const { name, perMinute: limit, call } of otherLimits) {
      it(`used limits stay used, and no call fails › ${name}`, async () => {
        const { since, served } = known.get(name)!;
        const [first, second] = await drain((nth) => call(pair.services[nth].origin, application));
        assertOnce(name, limit, since, served + first + second);
      });
    }

    it('each process applies its share of a limit that is hardly used', async () => {
      const since = performance.now();
      const served = await drain((nth) => exchange(pair.services[nth].origin, idle));
      const share = limits.tokensPerMinute / 2;
      const refill = ((performance.now() - since) * share) / 60_000;
      for (const calls of served) {
        assert.ok(calls >= share - 1 && calls <= share + refill + 1, `${served.join()}, ${refill}`);
      }
    });
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
