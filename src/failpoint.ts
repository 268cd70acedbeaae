import { ConfigError } from './config.ts';
import type { Environment } from './contract/wire.ts';
import type { Database, Executor } from './platform/postgres/database.ts';

/** Where the process ends itself, as `kill -9` would: before or after a statement, at its n-th time. */
export interface Failpoint {
  side: 'before' | 'after';
  statement: string;
  time: number;
}

const form = /^(?<side>before|after):(?<statement>[a-z-]+)(?::(?<time>[1-9]\d{0,5}))?$/;

/**
 * Reads `LATCHKEY_FAILPOINT`, as `after:move-booking:3`; null: it is not set. For tests, which need a
 * crash between two certain steps. Throws `ConfigError`, always so outside the simulation.
 */
export function readFailpoint(env: NodeJS.ProcessEnv, environment: Environment): Failpoint | null {
  const text = env['LATCHKEY_FAILPOINT']?.trim();
  if (!text) return null;
  if (environment !== 'simulation') {
    throw new ConfigError([
      `LATCHKEY_FAILPOINT is for the simulation, and this is ${environment}.`,
    ]);
  }
  const { side, statement, time } = form.exec(text)?.groups ?? {};
  if (statement === undefined) {
    throw new ConfigError([
      'LATCHKEY_FAILPOINT must be as before:STATEMENT or after:STATEMENT:TIME.',
    ]);
  }
  return { side: side as Failpoint['side'], statement, time: Number(time ?? 1) };
}

/** The same database, at which the process ends where the failpoint says; null: nowhere. */
export function withFailpoint(database: Database, failpoint: Failpoint | null): Database {
  if (failpoint === null) return database;
  let times = 0;
  const reach = (side: Failpoint['side'], statement: string): void => {
    if (side !== failpoint.side || statement !== failpoint.statement) return;
    times += 1;
    if (times === failpoint.time) process.kill(process.pid, 'SIGKILL');
  };
  const query: Executor['query'] = async (statement, values) => {
    reach('before', statement.name);
    const rows = await database.query(statement, values);
    reach('after', statement.name);
    return rows as never;
  };
  return { ...database, query };
}
