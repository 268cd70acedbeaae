import type { StatedRow } from '../complete-rows.ts';
import type { Row } from '../rows.ts';
import type { CommonOwnErrorCode, RowReasons } from '../own-errors.ts';
import type { OperatorErrorCode, operatorReasons } from './errors.ts';
import type { RowCommand } from './command.ts';
import type { OperatorScope } from './roles.ts';

/** One row of the operator's operation table. */
export interface OperatorRow extends Row {
  path: `/operator/v1/${string}`;
  /** Absent: for everybody who is signed in, or (`public`) to sign in. */
  scope?: OperatorScope;
  /** Absent: it has no command, or one that is written by hand because it reads or writes files. */
  command?: RowCommand;
  /** Its preview is an operation of its own, and `--dry-run` of the command. */
  previews?: true;
  /** All operations consume one quota. */
  tier?: never;
  /** Reasons of 401 and 403 that only this operation gives. */
  reasons?: RowReasons<typeof operatorReasons>;
  /** Codes in addition to those that every call can return, and to 403. */
  errors: readonly Exclude<OperatorErrorCode, CommonOwnErrorCode | 'forbidden'>[];
}

/** The rows of a subject as its file states them. */
export type StatedRows = Readonly<Record<string, Omit<StatedRow<OperatorRow>, 'tag'>>>;
