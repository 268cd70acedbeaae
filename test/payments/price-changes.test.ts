/** What statements count of reservations that a card pays, and of changes from before they were counted. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, before, suite, test } from 'node:test';
import { sql } from '../harness/rows.ts';
import type { PaidReservation } from './paid-reservation.ts';
import { openCollectedMoney, type CollectedMoney } from './collected-money.ts';

const folder = new URL('../../migrations/', import.meta.url);
const earlier = readdirSync(folder).find((name) => name.endsWith('_earlier_price_changes.sql'))!;

suite('payments › changes of prices', () => {
  let money: CollectedMoney;

  before(async () => {
    money = await openCollectedMoney();
  });
  after(() => money.close());

  const changesOf = ({ reference }: PaidReservation) =>
    sql<{ kind: string; amount: number }>(
      money.database,
      `SELECT kind, amount_minor AS amount FROM reservation_price_changes WHERE reference = $1
        ORDER BY at, version`,
      [reference],
    );

  // Spec: MONEY-17.
  test('what is kept of a cancellation is what the ledger still has as due', async () => {
    const paid = await money.reserve([0, 18_000], [30, 42_000]);
    await money.reprice(paid, await money.schedule([0, 18_000], [30, 40_000]));
    await money.changeParty(paid);
    await money.cancel(paid, 10_000);
    await money.collectDue();
    assert.equal((await money.balances(paid)).due, 8_000);
    assert.deepEqual(await changesOf(paid), [
      { kind: 'changed', amount: -2_000 },
      { kind: 'cancelled', amount: 8_000 - 58_000 },
    ]);
  });

  // Spec: MONEY-17.
  test('what happened before it was counted adds up to the same', async () => {
    const changed = await money.reserve([0, 18_000], [30, 42_000]);
    await money.reprice(changed, await money.schedule([0, 18_000], [30, 45_000]));
    const cancelled = await money.reserve([0, 18_000]);
    await money.cancel(cancelled, 18_000);
    await money.collectDue();
    const [entered, gone] = [await changesOf(changed), await changesOf(cancelled)];
    await sql(money.database, 'DELETE FROM reservation_price_changes');
    const text = readFileSync(new URL(earlier, folder), 'utf8');
    for (const statement of text.split(/;\n/).filter((one) => one.trim() !== '')) {
      await sql(money.database, statement);
    }
    assert.deepEqual(await changesOf(changed), entered);
    assert.deepEqual(await changesOf(cancelled), gone);
    assert.deepEqual(gone, [{ kind: 'cancelled', amount: -18_000 }]);
  });
});
