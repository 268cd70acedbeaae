/** The guest of a card booking: erased here, and then at the card provider. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { after, before, suite, test } from 'node:test';
import { eventually } from '../harness/eventually.ts';
import { type Operator, operatorOf } from '../harness/operator.ts';
import type { Partner } from '../harness/partner.ts';
import { sql } from '../harness/rows.ts';
import { scratchFolder } from '../harness/scratch-folder.ts';
import { submittedByCard } from '../harness/stripe/card-journey.ts';
import { type PaidService, startPaidService } from '../harness/stripe/service.ts';

const reason = 'Asked for in a letter of today.';

suite('operator.guest.erase › a guest who paid by card', () => {
  let folder: string;
  let service: PaidService;
  let operator: Operator;
  let card: Partner;

  before(async () => {
    folder = await mkdtemp(path.join(scratchFolder, 'erasures-'));
    service = await startPaidService({ LATCHKEY_DATA_DIR: folder });
    operator = await operatorOf(service);
    card = await service.partner({ settlement: 'card' });
  });
  after(async () => {
    await service.stop();
    await rm(folder, { recursive: true });
  });

  async function confirmed(): Promise<string> {
    const journey = await submittedByCard(service, card);
    await eventually(async () => (await journey.read()).state === 'confirmed', 20_000);
    return (await journey.read()).reference!;
  }

  const passed = (reference: string) =>
    sql(
      service.database,
      `WITH freed AS (DELETE FROM occupancies WHERE reference = $1)
        UPDATE reservations SET check_in = '2026-01-02', check_out = '2026-01-04' WHERE reference = $1`,
      [reference],
    );

  const openOf = async (reference: string) =>
    (await operator.done('operator.payment.get', { params: { reference } })).open;

  /** Nothing more is to be paid. */
  async function collectDue(reference: string): Promise<void> {
    const amount = await openOf(reference);
    if (amount === 0) return;
    const body = {
      kind: 'written_off' as const,
      amount,
      method: 'Ada Lovelace paid in cash',
      reason: 'Ada Lovelace has called.',
    };
    await operator.done('operator.payment.record', { params: { reference }, body });
  }

  // Spec: GUEST-4.
  test('200 › the ledger keeps amounts without texts; the provider deletes the customer once it answers', async () => {
    const reference = await confirmed();
    await passed(reference);
    const amount = await openOf(reference);
    await collectDue(reference);
    const customers = service.standIn.customers.size;
    assert.ok(customers > 0);
    service.standIn.faultOf = ({ name }) => (name.startsWith('DELETE') ? '503' : null);
    const body = { reference, reason };
    const erased = await operator.done('operator.guest.erase', { body });
    assert.equal(erased.cardProvider, 'pending');
    assert.equal(service.standIn.customers.size, customers);
    service.standIn.faultOf = () => null;
    await sql(service.database, 'UPDATE customer_erasures SET due_at = now()');
    await eventually(async () => service.standIn.customers.size === customers - 1, 20_000);
    await eventually(async () => {
      const [row] = await sql<{ left: number }>(
        service.database,
        'SELECT (SELECT count(*) FROM customer_erasures)::integer AS left',
      );
      return row!.left === 0;
    }, 20_000);
    const file = await operator.done('operator.reservation.get', { params: { reference } });
    assert.doesNotMatch(JSON.stringify(file), /Lovelace|cash/);
    if (amount > 0) {
      const written = file.history.find(({ what }) => what === 'payment.written_off') as
        | { amount?: number }
        | undefined;
      assert.equal(written?.amount, amount);
    }
    assert.equal(await openOf(reference), 0);
  });

  test('409 › money is open; then nothing is erased, here or at the provider', async () => {
    const reference = await confirmed();
    await passed(reference);
    await collectDue(reference);
    await sql(
      service.database,
      // Taken from the worker, which would write that nothing waits.
      `UPDATE payment_accounts SET attention = 'declined', attention_since = now(), due_at = NULL, fence = fence + 1
        WHERE reference = $1`,
      [reference],
    );
    const customers = service.standIn.customers.size;
    const body = { reference, reason };
    const refused = await operator.refused('operator.guest.erase', { body });
    assert.match(refused.message, new RegExp(`Money of ${reference} is open`));
    assert.equal(service.standIn.customers.size, customers);
    const { items } = await operator.done('operator.guest.find', { body: { reference } });
    assert.equal(items.length, 1);
  });
});
