/**
 * Store functions: a statement with what it takes and what it returns. The first type argument names the arguments after
 * the executor, the second is the row, the third what `result` makes of it.
 */
import type { Executor, Statement } from './database.ts';

/** A statement that is called as a function. */
interface StatementFunction<Args extends readonly unknown[], Result> {
  (executor: Executor, ...args: Args): Promise<Result>;
  readonly statement: Statement;
}

/** A statement and its parameters: the arguments in their order, or what `values` makes of them. */
interface Asked<Args extends readonly unknown[]> extends Statement {
  values?: (...args: Args) => readonly unknown[];
}

interface Converted<Row, Result> {
  result: (row: Row, executor: Executor) => Result;
}

/** A statement with what is returned of a row: the row as it was read, or what `result` makes of it. */
type AskedRows<Args extends readonly unknown[], Row, Result> = Asked<Args> &
  ([Row] extends [Result] ? Partial<Converted<Row, Result>> : Converted<Row, Result>);

const resultOf = <Row, Result>(
  { result }: Partial<Converted<Row, Result>>,
  row: Row,
  executor: Executor,
): Result => (result ? result(row, executor) : (row as unknown as Result));

const parameter = /\$(\d+)/g;

/** How many parameters a text has. */
const parametersOf = (text: string): number =>
  Math.max(0, ...[...text.matchAll(parameter)].map(([, number]) => Number(number)));

function statementFunction<Args extends readonly unknown[], Row, Result>(
  { values, name, variant, text }: Asked<Args>,
  returned: (rows: Row[], executor: Executor) => Result,
): StatementFunction<Args, Result> {
  const statement: Statement = { name, ...(variant !== undefined && { variant }), text };
  // What is one of several tasks can be called with more than it takes.
  const most = parametersOf(text);
  const valuesOf = values ?? ((...args: Args) => args.slice(0, most));
  const ask = async (executor: Executor, ...args: Args): Promise<Result> =>
    returned(await executor.query<Row>(statement, valuesOf(...args)), executor);
  return Object.assign(ask, { statement });
}

/** Returns all rows. */
export const manyRows = <Args extends readonly unknown[], Row, Result = Row>(
  asked: AskedRows<Args, Row, Result>,
): StatementFunction<Args, Result[]> =>
  statementFunction<Args, Row, Result[]>(asked, (rows, executor) =>
    rows.map((row) => resultOf(asked, row, executor)),
  );

/** Returns a row that is always there. */
export const theRow = <Args extends readonly unknown[], Row, Result = Row>(
  asked: AskedRows<Args, Row, Result>,
): StatementFunction<Args, Result> =>
  statementFunction<Args, Row, Result>(asked, ([row], executor) => resultOf(asked, row!, executor));

const valueOf = <T>(row: Record<string, T>): T => Object.values(row)[0]!;

/** Returns the only value of a row that is always there. */
export const theValue = <Args extends readonly unknown[], T>(
  asked: Asked<Args>,
): StatementFunction<Args, T> =>
  statementFunction<Args, Record<string, T>, T>(asked, ([row]) => valueOf(row!));

/** Returns the only value of each row. */
export const manyValues = <Args extends readonly unknown[], T>(
  asked: Asked<Args>,
): StatementFunction<Args, T[]> =>
  statementFunction<Args, Record<string, T>, T[]>(asked, (rows) => rows.map(valueOf));

/** Returns rows of two values as a map: the second value by the first. */
export const valuesByKey = <Args extends readonly unknown[], Key, T>(
  asked: Asked<Args>,
): StatementFunction<Args, Map<Key, T>> =>
  statementFunction<Args, Record<string, Key | T>, Map<Key, T>>(
    asked,
    (rows) => new Map(rows.map((row) => Object.values(row) as [Key, T])),
  );

/** Returns the first row; undefined: there is none. */
export const oneRow = <Args extends readonly unknown[], Row, Result = Row>(
  asked: AskedRows<Args, Row, Result>,
): StatementFunction<Args, Result | undefined> =>
  statementFunction<Args, Row, Result | undefined>(
    asked,
    ([row], executor) => row && resultOf(asked, row, executor),
  );

/** Returns the only value of the first row; undefined: there is no row. */
export const oneValue = <Args extends readonly unknown[], T>(
  asked: Asked<Args>,
): StatementFunction<Args, T | undefined> =>
  statementFunction<Args, Record<string, T>, T | undefined>(asked, ([row]) => row && valueOf(row));

/** Returns the first row; null: there is none. */
export const rowOrNull = <Args extends readonly unknown[], Row, Result = Row>(
  asked: AskedRows<Args, Row, Result>,
): StatementFunction<Args, Result | null> =>
  statementFunction<Args, Row, Result | null>(asked, ([row], executor) =>
    row ? resultOf(asked, row, executor) : null,
  );

/** Returns nothing. */
export const noRows = <Args extends readonly unknown[] = []>(
  asked: Asked<Args>,
): StatementFunction<Args, void> => statementFunction(asked, () => undefined);

/** Returns whether there is a row. */
export const hasRow = <Args extends readonly unknown[] = []>(
  asked: Asked<Args>,
): StatementFunction<Args, boolean> => statementFunction(asked, (rows) => rows.length > 0);

/** Returns the number of rows. */
export const countRows = <Args extends readonly unknown[] = []>(
  asked: Asked<Args>,
): StatementFunction<Args, number> => statementFunction(asked, (rows) => rows.length);
