/** The statements of transitions that `statements.sql` has. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Database, Executor, Statement } from '../../src/platform/postgres/database.ts';
import { preparedName } from '../../src/platform/postgres/prepared-name.ts';

const committed = readFileSync(new URL('../../statements.sql', import.meta.url), 'utf8');

/** Watches the transitions that a service writes; `check` fails if one is written by a statement that is not listed. */
export function watchTransitions(database: Database) {
  const sent = new Set<Statement>();
  const watched = (executor: Executor): Pick<Executor, 'query'> => ({
    query(statement, values) {
      if (statement.name === 'transition-booking') sent.add(statement);
      return executor.query(statement, values);
    },
  });
  const watchedDatabase: Database = {
    ...database,
    ...watched(database),
    transaction: (work) =>
      database.transaction((executor) => work({ ...executor, ...watched(executor) })),
  };
  return {
    database: watchedDatabase,
    check() {
      const names = [...sent].map(preparedName);
      const missing = names.filter((name) => !committed.includes(`\nPREPARE "${name}" AS\n`));
      assert.deepEqual(
        missing,
        [],
        'src/bookings/store/transitions-in-use.ts does not decide them',
      );
    },
  };
}
