/** Partners that search, book and poll as real ones do, and the check that every acknowledged response stays true. */
import type { Environment } from '../../src/contract/wire.ts';
import type { Database } from '../../src/platform/postgres/database.ts';
import { outcomesOf } from '../faults/test-system.ts';
import { startWorkload, type Workload } from '../faults/workload.ts';
import { registerPartner } from '../harness/registration.ts';
import { costLine, costOf } from '../harness/cost.ts';
import { failuresIn, type LogLine, reportOf, withoutResponse } from './report.ts';
import { shopper } from './shopper.ts';

/** A running installation, and its database. */
export interface Target {
  origin: string;
  database: Database;
  environment: Environment;
  /** The processes whose cost is reported, by name. */
  processes?: Readonly<Record<string, number>>;
  /** Reads the log of the service. Absent: it cannot be read here. */
  readLog?: () => Promise<LogLine[]>;
}

/** How much load. */
export interface LoadSettings {
  partners: number;
  seed: number;
  /** The average time between two calls of a guest, in milliseconds. */
  pauseMs: number;
  /** Concurrent guests of each partner. */
  guests: number;
}

/** How a run ended. */
export interface LoadOutcome {
  report: string;
  /** Broken promises, and a line if calls got a 5xx or no response. Empty: nothing is wrong. */
  wrong: string[];
}

const feedPauseMs = 10_000;
// It exists in the simulation; elsewhere its refusal is an answer, too.
const promotionCode = 'WELCOME10';

/** Loads an installation until it is enough, then compares everything that was acknowledged with the database. */
export async function runLoad(
  target: Target,
  settings: LoadSettings,
  enough: (workload: Workload) => Promise<unknown>,
): Promise<LoadOutcome> {
  const { origin, database, environment } = target;
  const partners = await Promise.all(
    Array.from({ length: settings.partners }, () =>
      registerPartner(database, origin, {}, environment),
    ),
  );
  const workload = startWorkload({
    partners,
    guest: shopper({ pauseMs: settings.pauseMs, promotionCode }),
    seed: settings.seed,
    guestsAtOnce: settings.guests,
    feedPauseMs,
  });
  const processes = Object.entries(target.processes ?? {});
  const costs = () => Promise.all(processes.map(([, pid]) => costOf(pid)));
  const before = await costs();
  const began = performance.now();
  await enough(workload);
  const seconds = (performance.now() - began) / 1_000;
  const calls = [...workload.history.calls];
  const now = await costs();
  const lines = processes.map(([name], index) =>
    costLine(name, before[index]!, now[index]!, calls.length),
  );
  const broken = await outcomesOf(database, workload);
  const failures = failuresIn(workload.history.calls);
  const ends = [...workload.ended].map(([state, count]) => `${count} ${state}`);
  return {
    report: [reportOf(calls, seconds), `bookings: ${ends.join(', ') || 'none'}`, ...lines].join(
      '\n',
    ),
    wrong: [
      ...broken,
      ...(failures > 0 ? [`${failures} calls got a 5xx or no response`] : []),
      ...withoutResponse(workload.history.calls, (await target.readLog?.()) ?? []),
    ],
  };
}
