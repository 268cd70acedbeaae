import type { Database, Executor } from '../platform/postgres/database.ts';

/** Where the process kills itself like `kill -9`: before or after the n-th execution of a statement. */
export interface Failpoint {
  side: 'before' | 'after';
  statement: string;
  time: number;
}

const form = /^(?<side>before|after):(?<statement>[a-z-]+)(?::(?<time>[1-9]\d{0,5}))?$/;

/** Reads a failpoint such as `after:transition-booking:3`, for tests of a crash between two steps. Null: not valid. */
export function parseFailpoint(text: string): Failpoint | null {
  const { side, statement, time } = form.exec(text)?.groups ?? {};
  if (statement === undefined) return null;
  return { side: side as Failpoint['side'], statement, time: Number(time ?? 1) };
}

/** Wraps a database so that the process ends at the failpoint. Null: returns the database. */
export function withFailpoint(database: Database, failpoint: Failpoint | null): Database {
  if (failpoint === null) return database;
  let times = 0;
  const reach = (side: Failpoint['side'], statement: string): void => {
    if (side !== failpoint.side || statement !== failpoint.statement) return;
    times += 1;
    if (times === failpoint.time) process.kill(process.pid, 'SIGKILL');
  };
  const watched =
    (executor: Executor): Executor['query'] =>
    async (statement, values) => {
      reach('before', statement.name);
      const rows = await executor.query(statement, values);
      reach('after', statement.name);
      return rows as never;
    };
  return {
    ...database,
    query: watched(database),
    transaction: (work) =>
      database.transaction((executor) => work({ ...executor, query: watched(executor) })),
  };
}
