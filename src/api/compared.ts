import { isRefusal } from '../contract/errors.ts';
import type { Row } from '../contract/rows.ts';
import type { AnyCall } from './call.ts';

/** Passes on what a handler has returned. Throws if it has not compared what the caller has seen. */
export function compared<T>(row: Row, { operation, seen }: AnyCall, returned: T): T {
  if (seen?.isCompared === false && !isRefusal(returned)) {
    throw new Error(`${operation} has not compared ${row.seen} with what is stored`);
  }
  return returned;
}
