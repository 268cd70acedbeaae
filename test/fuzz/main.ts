/** `npm run random -- fuzz --count N --seed S -- [--environment simulation|test] [--processes N]`: the fuzzing of `npm test`, for N seconds. */
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres/index.ts';
import { templateName } from '../harness/postgres.ts';
import { fuzz, fuzzedEnvironments, type Campaign, type Outcome } from './campaign.ts';
import type { CallCounts } from './caller-at-random.ts';
import { scratchFolder } from '../harness/scratch-folder.ts';

const shownFindings = 10;
// The partners' keys live for an hour.
const mostSeconds = 3_000;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '300' },
    seed: { type: 'string', default: String(Date.now()) },
    environment: { type: 'string', default: 'simulation' },
    processes: { type: 'string', default: '1' },
    canary: { type: 'boolean', default: false },
  },
});

const processes = Number(values.processes);
const environment = fuzzedEnvironments.find((one) => one === values.environment);
if (!environment || !(Number.isInteger(processes) && processes > 0)) {
  console.error(
    'npm run random -- fuzz --count N --seed S -- [--environment simulation|test] [--processes N]',
  );
  process.exit(2);
}
const seconds = Math.min(Number(values.seconds), mostSeconds);

/** The planted defect: a rule of the database that no quote meets. */
const damage = values.canary
  ? ['ALTER TABLE quotes ADD CONSTRAINT none_fits CHECK (false) NOT VALID']
  : [];

const countsOf = ({ responses }: CallCounts): string =>
  [...responses]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([status, count]) => `${status}: ${count}`)
    .join('  ');

let told = 0;

const progress: Campaign['progress'] = (callCounts, residentMb) => {
  const { requests, findings } = callCounts;
  // At once: the run may be stopped.
  for (const finding of findings.slice(told, shownFindings)) console.log(finding);
  told = findings.length;
  const text = `${requests} requests, ${findings.length} findings, ${residentMb.toFixed(0)} MB`;
  console.log(`${text}   ${countsOf(callCounts)}`);
};

/** The responses 5xx that no request may cause, and those that the contract has. */
function failures({ findings, responses }: CallCounts): string {
  const count = findings.filter(({ fault }) => fault.startsWith('status 5')).length;
  return `${count} (and ${(responses.get('503') ?? 0) - count} specified 503 not_configured)`;
}

/** The part in which a read waited longest, compared with the idle seconds before it. */
function worstWait({ waits }: Pick<Outcome, 'waits'>): string {
  const [worst] = waits.toSorted((a, b) => b.busyMs - a.busyMs);
  if (!worst) return 'not measured';
  const { busyMs, idleMs } = worst;
  const ratio = (busyMs / idleMs).toFixed(1);
  return `${busyMs.toFixed(0)} ms, ${ratio} times the ${idleMs.toFixed(0)} ms of the idle run of the same minute`;
}

function report(outcome: Outcome): void {
  const { findings, complaints } = outcome;
  for (const finding of findings.slice(told, shownFindings)) console.log(finding);
  for (const line of complaints.slice(0, shownFindings)) console.log(line);
  console.log(`seed ${values.seed}: ${outcome.requests} requests, ${findings.length} findings`);
  console.log(`5xx: ${failures(outcome)}`);
  console.log(`the longest wait of a partner's read: ${worstWait(outcome)}`);
  console.log(`memory ${outcome.warmMb.toFixed(0)} → ${outcome.endMb.toFixed(0)} MB`);
  console.log(`responses to slow senders: ${JSON.stringify(outcome.slow)}`);
  console.log(`afterwards: readiness ${outcome.readiness}, a booking is ${outcome.booked}`);
}

const isGood = ({ findings, complaints, readiness, booked }: Outcome): boolean =>
  findings.length === 0 && complaints.length === 0 && readiness === 200 && booked === 'confirmed';

/** An empty database to clone: the service makes its tables itself. */
async function makeTemplate(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  await client.query(`CREATE DATABASE ${templateName}`);
  await client.end();
}

const dataDir = await mkdtemp(path.join(scratchFolder, 'lk-fuzz-'));
const postgres = await startEmbeddedPostgres({ dataDir, log: () => undefined });
try {
  await makeTemplate(postgres.connection);
  process.env['LATCHKEY_TEST_POSTGRES'] = JSON.stringify(postgres.connection);
  console.log(`seed ${values.seed}, ${seconds} seconds`);
  const outcome = await fuzz({
    seed: values.seed,
    seconds,
    environment,
    processes,
    damage,
    progress,
    measuresWaits: true,
  });
  report(outcome);
  process.exitCode = isGood(outcome) ? 0 : 1;
} finally {
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}
