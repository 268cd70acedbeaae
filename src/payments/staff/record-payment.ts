import { isRefusal, type Refusal } from '../../contract/errors.ts';
import { refuseConflict } from '../../contract/operator/errors.ts';
import type { Database, Executor } from '../../platform/postgres/database.ts';
import type { RecordKind } from '../rules/staff-acts.ts';
import { readDays } from '../store/staff-acts.ts';
import { actOnMoney, type MoneyActInput } from './money-act.ts';

/** What staff have seen happen outside. */
export interface RecordInput extends MoneyActInput {
  kind: RecordKind;
  /** How it happened: `bank transfer`, `cash`. */
  method: string;
  /** `YYYY-MM-DD`; absent: today. */
  happenedOn?: string | undefined;
}

/** The day on which money has moved; absent: today. Refuses one in the future. */
export async function dayOfRecord(
  executor: Executor,
  happenedOn: string | undefined,
): Promise<string | Refusal<'conflict'>> {
  const { today, latest } = await readDays(executor);
  if (happenedOn === undefined || happenedOn <= latest) return happenedOn ?? today;
  return refuseConflict(`${happenedOn} is in the future: record money when it has moved.`);
}

/**
 * Records money that moved elsewhere: the ledger knows it, and what it covers is neither collected nor refunded by
 * card. Spec: MONEY-4.
 */
export async function recordPayment(
  database: Database,
  actor: string,
  { kind, method, happenedOn, ...input }: RecordInput,
) {
  const day = await dayOfRecord(database, happenedOn);
  if (isRefusal(day)) return day;
  const details = { kind, method, happenedOn: day };
  const done = await actOnMoney(
    database,
    actor,
    { act: kind, action: 'payment.record', details },
    input,
  );
  return isRefusal(done) ? done : { ...done, ...details };
}
