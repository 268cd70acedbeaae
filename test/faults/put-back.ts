/** The database of a fault run is put back as it was in the midst of an episode, under processes that run on. */
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { declareEpoch } from '../../src/platform/postgres/epochs.ts';
import { backUpRunning } from '../harness/base-backup.ts';
import { eventually } from '../harness/eventually.ts';
import { sql } from '../harness/rows.ts';
import { moneyAgain, movementsOf, readMoney, awaitMoney } from './card-payments.ts';
import type { Chance } from '../harness/chance.ts';
import type { TestSystem } from './test-system.ts';

const withinMs = 60_000;
const kept = new WeakMap<TestSystem, string>();

/** Copies the database while guests book and staff act, as `pg_basebackup` does. */
export async function keepForLater(system: TestSystem, chance: Chance): Promise<number> {
  const { dataDir } = system.postgres;
  const copy = `${dataDir}-kept`;
  await rm(copy, { recursive: true, force: true });
  await sleep(1_000 + chance.below(2_000));
  await backUpRunning(dataDir, copy);
  kept.set(system, copy);
  // What the copy does not have.
  await sleep(2_000 + chance.below(2_000));
  return 1;
}

/**
 * Puts the copy back. The bookings since are lost, and those of the copy go on: nothing is charged or refunded at the
 * provider that the ledger does not have, or a second time.
 */
export async function putBack(system: TestSystem): Promise<string[]> {
  const { postgres, database, cards } = system;
  const files = path.join(postgres.dataDir, 'postgres');
  await postgres.kill();
  await rm(files, { recursive: true });
  await rename(path.join(kept.get(system)!, 'postgres'), files);
  await postgres.restart();
  await eventually(
    () =>
      database
        .transaction((executor) => declareEpoch(executor, 'a fault run'))
        .then(
          () => true,
          // The pool still has connections to the server that was lost.
          () => false,
        ),
    withinMs,
  );
  await eventually(async () => {
    const [row] = await sql<{ may: boolean }>(database, 'SELECT may_move_money() AS may');
    return row!.may;
  }, withinMs);
  const rows = await sql<{ id: string }>(database, 'SELECT application_id AS id FROM applications');
  const applicationIds = rows.map(({ id }) => id);
  await awaitMoney(database, applicationIds, Promise.resolve());
  return moneyAgain(await readMoney(database, applicationIds), movementsOf(cards!.standIn));
}
