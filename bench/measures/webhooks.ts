import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Pool } from 'undici';
import type { Database } from '../../src/platform/postgres/database.ts';
import { insertWebhookEndpoint } from '../../src/webhooks/store/endpoints.ts';
import { newWebhookSecret } from '../../src/platform/sending/signature.ts';
import { webhookMessage } from '../../src/webhooks/message.ts';
import { startDeliverer } from '../../src/webhooks/deliverer.ts';
import { perSecond } from '../load.ts';
import type { Measure } from '../measure.ts';
import { startReceiver, type ReceiverProcess } from '../processes.ts';
import { startBenchSystem, type BenchSystem } from '../bench-system.ts';

const secondsPerRound = 5;
const endpointCount = 32;
const floorInFlight = 64;
const floorGroup = 64;
const floorGroups = 4;
const latencyPosts = 200;
/** More events than 32 endpoints get in a second. */
const eventsPerSecond = 600;
/** A port without a listener. */
const closedPort = 1;

const event = {
  eventId: '0190a5e0-d3f1-7a1b-b0f2-a1c2d3e4f506',
  type: 'reservation.confirmed',
  sequence: 1,
  createdAt: 0,
  data: {
    reference: 'LK-7Q2M8KPD',
    checkoutId: '0190a5e0-d3f1-7a1b-b0f2-a1c2d3e4f506',
    state: 'confirmed',
    confirmedAt: '2026-11-20T12:00:00.000Z',
  },
} as const;
const message = webhookMessage(event, [newWebhookSecret()], 0);
const { body } = message;
const headers = {
  'content-type': 'application/json',
  'user-agent': 'Latchkey-Webhooks',
  ...message.headers,
};

const run = (database: Database, text: string, values: unknown[]) =>
  database.query<{ count: number }>({ name: '', text }, values);

const writeEvents = (database: Database, applicationId: string, count: number) =>
  run(
    database,
    `WITH counter AS (
      UPDATE event_counters SET last_sequence = last_sequence + $2 WHERE application_id = $1
      RETURNING last_sequence
    )
    INSERT INTO events (application_id, sequence, type, data, created_at)
    SELECT $1, last_sequence - $2 + n, 'reservation.confirmed', $3, clock_timestamp()
    FROM counter, generate_series(1, $2) n`,
    [applicationId, count, JSON.stringify(event.data)],
  );

const addEndpoint = (database: Database, applicationId: string, url: string) =>
  insertWebhookEndpoint(database, {
    applicationId,
    url,
    description: '',
    eventTypes: null,
    secret: newWebhookSecret(),
  });

/** Endpoints of one application, and the rate of deliveries to them. */
class Endpoints {
  readonly #database: Database;
  readonly #applicationId: string;

  private constructor(database: Database, applicationId: string) {
    this.#database = database;
    this.#applicationId = applicationId;
  }

  static async open(
    { database, partner }: BenchSystem,
    urls: readonly string[],
  ): Promise<Endpoints> {
    const { applicationId } = await partner();
    for (const url of urls) await addEndpoint(database, applicationId, url);
    return new Endpoints(database, applicationId);
  }

  async #delivered(): Promise<number> {
    const [row] = await run(
      this.#database,
      `SELECT count(*)::integer AS count FROM webhook_deliveries
        WHERE application_id = $1 AND state = 'delivered'`,
      [this.#applicationId],
    );
    return row!.count;
  }

  /** Writes a backlog of events and counts the deliveries that are recorded while it is sent. */
  async perSecond(forSeconds = secondsPerRound): Promise<number> {
    const before = await this.#delivered();
    await writeEvents(this.#database, this.#applicationId, eventsPerSecond * forSeconds);
    while ((await this.#delivered()) === before) await sleep(10);
    const begin = performance.now();
    const first = await this.#delivered();
    await sleep(forSeconds * 1_000);
    const count = (await this.#delivered()) - first;
    const seconds = (performance.now() - begin) / 1_000;
    await this.#skipBacklog();
    return count / seconds;
  }

  /** Moves the cursors to the end, so that the rest of the backlog is not sent. */
  async #skipBacklog(): Promise<void> {
    await run(
      this.#database,
      `UPDATE webhook_endpoints e SET fanned_out_to = c.last_sequence FROM event_counters c
        WHERE c.application_id = e.application_id AND e.application_id = $1`,
      [this.#applicationId],
    );
    await sleep(500);
  }
}

/** Endpoints that respond at once. */
export const openHealthyEndpoints = (
  system: BenchSystem,
  receiver: ReceiverProcess,
): Promise<Endpoints> => Endpoints.open(system, hookUrls(receiver, endpointCount));

const hookUrls = ({ port }: ReceiverProcess, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `http://127.0.0.1:${port}/hook/${n}`);

const brokenUrls = ({ port }: ReceiverProcess): string[] => [
  ...Array.from({ length: 3 }, () => `http://127.0.0.1:${port}/silent`),
  ...Array.from({ length: 3 }, () => `http://127.0.0.1:${port}/drip`),
  ...Array.from({ length: 2 }, () => `http://127.0.0.1:${closedPort}/`),
];

const insertDeliveries = `INSERT INTO bench_deliveries (endpoint_id, application_id, event_type, sequence)
  SELECT $1::uuid, $1::uuid, 'reservation.confirmed', n FROM generate_series(1, $2::integer) n
  RETURNING delivery_id`;
const writeResults = `WITH done AS (
    UPDATE bench_deliveries SET state = 'delivered', attempts = 1, due_at = NULL, last_status = 200,
      last_attempt_at = now(), delivered_at = now()
    WHERE delivery_id = ANY ($1::uuid[]) RETURNING delivery_id
  )
  INSERT INTO bench_attempts (delivery_id, number, started_at, duration_ms, status, response)
  SELECT delivery_id, 1, now(), 1, 200, 'ok' FROM done`;

/**
 * The floor: the same posts with bare undici, and the same rows written by plain grouped statements of
 * 64, without any decision.
 */
async function openBarePosts({ connection }: BenchSystem, receiver: ReceiverProcess) {
  const database = new pg.Pool({ ...connection, max: floorGroups });
  await database.query(`CREATE TABLE bench_deliveries (LIKE webhook_deliveries INCLUDING ALL)`);
  await database.query(`CREATE TABLE bench_attempts (LIKE webhook_attempts INCLUDING ALL)`);
  const pool = new Pool(`http://127.0.0.1:${receiver.port}`, { connections: floorInFlight });
  async function post(): Promise<void> {
    const response = await pool.request({ path: '/hook', method: 'POST', headers, body });
    await response.body.dump();
  }
  async function group(): Promise<void> {
    const values = [randomUUID(), floorGroup];
    const { rows } = await database.query<{ delivery_id: string }>({
      name: 'bench-deliveries',
      text: insertDeliveries,
      values,
    });
    await Promise.all(rows.map(post));
    const ids = rows.map((row) => row.delivery_id);
    await database.query({ name: 'bench-results', text: writeResults, values: [ids] });
  }
  return {
    perSecond: async (seconds: number): Promise<number> =>
      floorGroup * (await perSecond(floorGroups, seconds, group)),
    async close(): Promise<void> {
      await pool.close();
      await database.query('DROP TABLE bench_deliveries, bench_attempts');
      await database.end();
    },
  };
}

async function withBenchSystem(
  work: (system: BenchSystem, receiver: ReceiverProcess) => Promise<void>,
  more: Record<string, string> = {},
): Promise<void> {
  const system = await startBenchSystem(more);
  const receiver = await startReceiver();
  try {
    await work(system, receiver);
  } finally {
    await receiver.stop();
    await system.close();
  }
}

/** Recorded deliveries per second; the floor is bare posts with the same rows. */
export const measureWebhooks: Measure['run'] = (rounds, onRound) =>
  withBenchSystem(async (system, receiver) => {
    const healthy = await openHealthyEndpoints(system, receiver);
    const bare = await openBarePosts(system, receiver);
    try {
      await healthy.perSecond();
      for (let round = 0; round < rounds; round += 1) {
        const floor = await bare.perSecond(secondsPerRound);
        onRound({ floor, figure: await healthy.perSecond() });
      }
    } finally {
      await bare.close();
    }
  });

/** The same with 8 endpoints that do not respond; the floor is the rate without them. */
export const measureWebhooksBesideDead: Measure['run'] = (rounds, onRound) =>
  withBenchSystem(async (system, receiver) => {
    const broken = brokenUrls(receiver);
    const allHealthy = await openHealthyEndpoints(system, receiver);
    const mixed = await Endpoints.open(system, [
      ...hookUrls(receiver, endpointCount - broken.length),
      ...broken,
    ]);
    await allHealthy.perSecond();
    await mixed.perSecond();
    for (let round = 0; round < rounds; round += 1) {
      onRound({ floor: await allHealthy.perSecond(), figure: await mixed.perSecond() });
    }
  });

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;
const msSince = (begin: bigint, end = process.hrtime.bigint()): number => Number(end - begin) / 1e6;

async function onePost(pool: Pool): Promise<number> {
  const begin = process.hrtime.bigint();
  const response = await pool.request({ path: '/hook', method: 'POST', headers, body });
  await response.body.dump();
  return msSince(begin);
}

/** From the commit of an event to its arrival; the floor is one post and its response. */
export const measureWebhookLatency: Measure['run'] = (rounds, onRound) =>
  withBenchSystem(
    async ({ database, partner }, receiver) => {
      const { applicationId } = await partner();
      await addEndpoint(database, applicationId, `http://127.0.0.1:${receiver.port}/hook`);
      const nothing = (): void => undefined;
      const log = { info: nothing, warn: nothing, error: nothing };
      const rules = { loopbackAllowed: true };
      const deliverer = startDeliverer({ executor: database, log, rules });
      const pool = new Pool(`http://127.0.0.1:${receiver.port}`);
      try {
        // The deliverer needs up to this long to notice the endpoint.
        await sleep(2_000);
        for (let round = 0; round < rounds; round += 1) {
          const posts: number[] = [];
          const deliveries: number[] = [];
          for (let n = 0; n < latencyPosts; n += 1) {
            posts.push(await onePost(pool));
            const { arrival } = await receiver.watch();
            await writeEvents(database, applicationId, 1);
            const committed = process.hrtime.bigint();
            deliverer.wake(applicationId);
            deliveries.push(msSince(committed, await arrival));
          }
          onRound({ floor: median(posts), figure: median(deliveries) });
        }
      } finally {
        await pool.close();
        await deliverer.stop();
      }
    },
    { LATCHKEY_ROLES: 'api' },
  );
