/** `statements.sql`: every named SQL statement, as it is sent. */
import type { Statement } from '../platform/postgres/database.ts';
import { preparedName } from '../platform/postgres/prepared-name.ts';
import { type ModuleStatements, readStatements } from './module-statements.ts';

const heading = `-- Every named SQL statement, as the service sends it, by the module that sends it. Generated: change it there.
-- The names are those of pg_prepared_statements. For pg_stat_statements and the log of PostgreSQL, look for the text.
-- Where filters can be combined freely, here are the texts without a filter, with each alone, and with all of them.
--
-- On a database with this schema, psql -f statements.sql prepares all of them, and executes none of them. Then:
--   SET plan_cache_mode = force_generic_plan;
--   EXPLAIN EXECUTE "find-checkout" (NULL, NULL);

BEGIN;
`;

const isPreparable = (text: string): boolean =>
  /^[\s(]*(?:SELECT|WITH|INSERT|UPDATE|DELETE)\b/.test(text);

/** The texts by name; the same statement may be in several tables of its module. */
function textsByName(
  statements: readonly Statement[],
  known: Map<string, string>,
): [string, string][] {
  return statements.flatMap((statement): [string, string][] => {
    const name = preparedName(statement);
    const before = known.get(name);
    if (before === statement.text) return [];
    if (before !== undefined) throw new Error(`Two statements are named ${name}.`);
    known.set(name, statement.text);
    return [[name, statement.text]];
  });
}

const prepared = ([name, text]: [string, string]): string =>
  isPreparable(text) ? `PREPARE "${name}" AS\n${text};\n` : `-- ${name}\n${text};\n`;

/** The content of `statements.sql`. Throws if two texts have one name: PostgreSQL would take one for the other. */
export async function statementsFile(): Promise<string> {
  const known = new Map<string, string>();
  const sections = (await readStatements()).map(({ file, statements }: ModuleStatements) =>
    [`-- src/${file}\n`, ...textsByName(statements, known).map(prepared)].join('\n'),
  );
  return [heading, ...sections, 'COMMIT;\n'].join('\n');
}
