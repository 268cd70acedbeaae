/** Staff at the command line: a process of their own, which can be killed within a transaction. */
import type { StaffContext } from '../../../src/bookings/index.ts';
import { createInventorySupply } from '../../../src/bookings/ports/inventory-supply.ts';
import { createCardPayments } from '../../../src/payments/card-payments.ts';
import { ledgerMoney } from '../../../src/payments/index.ts';
import type { Database, Executor } from '../../../src/platform/postgres/database.ts';
import type { Chance } from '../../harness/chance.ts';
import { KilledError, type Scheduler } from './scheduler.ts';
import { gatedExecutor, type SharedSystem, type WorkerProcess } from './system.ts';
import { RefusedAct, resolveCheckout } from '../../harness/acts.ts';
import type { Watch } from './watched-acts.ts';

// Real timers must not end anything in a simulation.
const endlessMs = 100_000_000;
const statementsAtMost = 8;

/** Ends the process after this number of statements of a transaction, which is then rolled back. */
function dying(executor: Executor, after: number): Executor {
  let left = after;
  return {
    vault: executor.vault,
    async query(statement, values) {
      left -= 1;
      if (left < 0) throw new KilledError('within a transaction');
      return executor.query<never>(statement, values);
    },
  };
}

/** No other step runs within a transaction: PostgreSQL would make it wait for the locks. */
function gatedDatabase(
  shared: SharedSystem,
  scheduler: Scheduler,
  { process }: WorkerProcess,
  chance: Chance,
  watch: Watch | null,
): Database {
  const { database } = shared;
  const executor = gatedExecutor(shared, scheduler, process, () => watch?.look(database));
  return {
    ...database,
    vault: executor.vault,
    query: (statement, values) => executor.query<never>(statement, values),
    async transaction(work) {
      await scheduler.gate(process, 'transaction', true);
      const isKilled = scheduler.faults.database > 0 && chance.happens(0.15);
      const after = isKilled ? chance.below(statementsAtMost) : Infinity;
      const result = await scheduler.answered(() =>
        database.transaction((inner) => {
          const done = () => work(dying(inner, after));
          return watch ? watch.transaction(inner, done) : done();
        }),
      );
      await scheduler.gate(process, 'transaction done', true);
      return result;
    },
  };
}

/** The dependencies of staff, in a process of the simulation. */
export function staffOf(
  shared: SharedSystem,
  scheduler: Scheduler,
  at: WorkerProcess,
  chance: Chance,
  watch: Watch | null = null,
): StaffContext {
  return {
    database: gatedDatabase(shared, scheduler, at, chance, watch),
    supplyOn: createInventorySupply,
    payment: createCardPayments({ executor: at.executor, provider: at.provider }),
    money: ledgerMoney,
    listDeliveries: () => Promise.resolve([]),
    wakeDeliverer: () => undefined,
    uncertainHours: 24,
    askingMs: endlessMs,
  };
}

/** A refusal of what staff asked for is no problem of the run. */
async function unlessRefused<T>(act: Promise<T>): Promise<T | null> {
  try {
    return await act;
  } catch (error) {
    if (error instanceof RefusedAct) return null;
    throw error;
  }
}

/** Resolves a checkout. Returns its state as staff see it; null: refused. */
export async function resolve(
  staff: StaffContext,
  checkoutId: string,
  as: 'confirmed' | 'failed',
): Promise<string | null> {
  const input = { checkoutId, as, reason: 'The guest has called.' };
  const resolved = await unlessRefused(resolveCheckout(staff, 'staff', input));
  return resolved?.state ?? null;
}
