import type { Log } from '../../platform/log.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import { inBatches, startLoop } from '../../platform/loop.ts';
import { materializeReservations } from '../store/records.ts';

/** The dependencies of records. */
export interface RecordsContext {
  executor: Executor;
  log: Pick<Log, 'info' | 'warn'>;
}

/**
 * The operator's records of reservations. A reservation is `ready` once they have it. Spec: RECORD-1.
 */
export interface Records {
  /** Whether they are in a system other than this database. */
  areElsewhere: boolean;
  /** Starts to send reservations and their later versions to the records. Any number of processes can do this. */
  start(context: RecordsContext): { stop(): Promise<void> };
}

const atOnce = 1_000;

/** These tables are the operator's only records, so a reservation is ready as soon as it exists. */
export const ownRecords: Records = {
  areElsewhere: false,
  start: ({ executor, log }) =>
    startLoop({
      name: 'materialize',
      everyMs: 1_000,
      work: inBatches(atOnce, (rows) => materializeReservations(executor, rows)),
      log,
    }),
};
