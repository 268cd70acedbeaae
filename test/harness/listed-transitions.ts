/** The statements of transitions that `statements.sql` has. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Database, Executor } from '../../src/platform/postgres/database.ts';
import { preparedName } from '../../src/platform/postgres/prepared-name.ts';

const committed = readFileSync(new URL('../../statements.sql', import.meta.url), 'utf8');

/** Watches the transitions that a service writes; `check` fails if one is written by a statement that is not listed. */
export function watchTransitions() {
  const sent = new Set<string>();
  const watched = (executor: Executor): Pick<Executor, 'query'> => ({
    query(statement, values) {
      if (statement.name === 'transition-booking') sent.add(preparedName(statement));
      return executor.query(statement, values);
    },
  });
  return {
    changeDatabase: (database: Database): Database => ({
      ...database,
      ...watched(database),
      transaction: (work) =>
        database.transaction((executor) => work({ ...executor, ...watched(executor) })),
    }),
    check() {
      const missing = [...sent].filter((name) => !committed.includes(`\nPREPARE "${name}" AS\n`));
      assert.deepEqual(missing, [], 'list their clauses in src/build/statement-variants.ts');
      assert.ok(sent.size > 0, 'no transition was written');
    },
  };
}
