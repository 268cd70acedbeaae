/** Rows that may have been written with a wrong time, before a jump of the clock was noticed. Spec: CLOCK-2. */
import type { EpochMs } from '../../contract/time.ts';
import { longestOffMs } from '../clock-jump.ts';
import { noRows } from './statement-functions.ts';

/** Writes that rows can have a wrong time, since it was what statements meant by `now()`, and when it is. */
export const noteWrongTime = noRows<[wrong: EpochMs, now: EpochMs]>({
  name: 'note-wrong-time',
  // A jump is noticed in less than a minute.
  text: `INSERT INTO wrong_times (shown_from, shown_until, noticed_at)
    SELECT to_timestamp($1 / 1000.0) - interval '1 minute', to_timestamp($1 / 1000.0) + interval '1 minute',
      to_timestamp($2 / 1000.0)`,
});

/**
 * SQL: whether what this statement means by `now()` is within a minute of a process's time, so that what it writes does
 * not end before it has begun. Null: it is not compared.
 *
 * @param line a parameter, milliseconds
 */
export const isNearLine = (line: string): string =>
  `(${line}::float8 IS NULL OR abs(extract(epoch FROM now()) * 1000 - ${line}) <= ${longestOffMs})`;

/**
 * SQL: whether the instant in a column may be a wrong one that was written in the last days. A subquery for each row: the
 * table has few rows, and the plan stays that of the column's index.
 *
 * @param days a parameter or a number
 */
export const isWrongTime = (column: string, days: string): string =>
  `coalesce((SELECT true FROM wrong_times w WHERE ${column} BETWEEN w.shown_from AND w.shown_until
      AND w.noticed_at > now() - make_interval(days => ${days}) LIMIT 1), false)`;

/** SQL: whether a row is older than some days by the instant in a column, and that instant can be believed. */
export const isOlderThan = (column: string, days: string): string =>
  `${column} < now() - make_interval(days => ${days}) AND NOT ${isWrongTime(column, days)}`;

/** SQL: whether a row is at most some days old by the instant in a column, or by that of the jump. */
export const isYoungerThan = (column: string, days: string): string =>
  `(${column} > now() - make_interval(days => ${days}) OR ${isWrongTime(column, days)})`;
