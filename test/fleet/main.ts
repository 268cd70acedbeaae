/**
 * `npm run fleet -- --seconds N --seed S [--keep]`: four processes behind HAProxy; the demo, then kills with -9 of
 * any of them under load for N seconds. `--keep`: it then serves until Ctrl-C.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import type { Database } from '../../src/platform/postgres/database.ts';
import { chanceOf } from '../harness/chance.ts';
import { bookingPartners, outcomesOf } from '../faults/test-system.ts';
import { noHaproxy } from '../harness/haproxy.ts';
import { createTestDatabase } from '../harness/postgres.ts';
import { noRedis } from '../harness/redis.ts';
import { onDatabase, projectRoot } from '../harness/service-process.ts';
import { withTemplate } from '../harness/template.ts';
import { failuresIn, reportOf } from '../load/report.ts';
import { four, openFleet, type Fleet } from './fleet.ts';
import { killAndStart } from './kills.ts';

const notTried = `Not tried here, because it needs what this machine may not have: the image (deploy/Dockerfile) and
compose.yaml, the Kubernetes objects in a cluster, the systemd unit, TLS, Valkey instead of Redis, and the
loss of PostgreSQL's machine (npm test -- test/fleet/failover.test.ts tries that).`;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    keep: { type: 'boolean', default: false },
  },
});
const seconds = Number(values.seconds);
const seed = Number(values.seed);

type FourProcesses = Fleet<keyof typeof four>;

/** Runs the demo at the balancer, with the credentials of one process. */
async function runDemo(fleet: FourProcesses): Promise<string[]> {
  const child = spawn(process.execPath, ['src/demo/main.ts'], {
    cwd: projectRoot,
    env: { PATH: process.env['PATH'] ?? '', LATCHKEY_DATA_DIR: fleet.folderOf('api1') },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return code === 0 ? [] : [`the demo ended with ${code}`];
}

/** Kills processes until the time is over. */
async function killForSeconds(fleet: FourProcesses, database: Database): Promise<string[]> {
  const names = Object.keys(four) as (keyof typeof four)[];
  const chance = chanceOf(seed);
  const workload = await bookingPartners(database, fleet.origin, seed);
  const began = performance.now();
  const took = (): number => (performance.now() - began) / 1_000;
  try {
    let kills = 0;
    for (; took() < seconds; kills += 1) await killAndStart(fleet, [chance.pick(names)], chance);
    const lasted = took();
    const wrong = await outcomesOf(database, workload);
    const { calls } = workload.history;
    console.log(reportOf(calls, lasted));
    console.log(
      `${kills} kills, ${failuresIn(calls)} calls with a 5xx or no response, which the clients repeated`,
    );
    return wrong;
  } finally {
    await workload.abandon();
  }
}

async function tryFleet(): Promise<string[]> {
  const on = await createTestDatabase();
  try {
    const fleet = await openFleet({ roles: four, envOf: () => onDatabase(on) });
    try {
      console.log(`HAProxy at ${fleet.origin}: two api and two worker processes behind it`);
      const wrong = [...(await runDemo(fleet)), ...(await killForSeconds(fleet, on.database))];
      if (values.keep) {
        console.log(`serving at ${fleet.origin}; Ctrl-C ends it`);
        await once(process, 'SIGINT');
      }
      return wrong;
    } finally {
      await fleet.close();
    }
  } finally {
    await on.drop();
  }
}

const missing = [noHaproxy, noRedis].filter((reason) => reason !== false);
if (missing.length > 0 || !(seconds >= 0) || !Number.isInteger(seed)) {
  console.error(missing.join('\n') || 'npm run fleet -- --seconds N --seed S [--keep]');
  process.exit(2);
}
console.log(`seed ${seed}`);
const wrong = await withTemplate((connection) => {
  process.env['LATCHKEY_TEST_POSTGRES'] = JSON.stringify(connection);
  return tryFleet();
});
console.log(wrong.length === 0 ? 'nothing is wrong' : `WRONG\n${wrong.join('\n')}`);
console.log(notTried);
process.exit(wrong.length === 0 ? 0 : 1);
