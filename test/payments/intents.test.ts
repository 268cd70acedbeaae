/** Each attempt to take money and its rows of the ledger: PostgreSQL keeps both in step. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { type Intent, type IntentState, neverArrived } from '../../src/payments/rules/intent.ts';
import { listEntries } from '../../src/payments/store/entries.ts';
import { recordIntent, type NewIntent } from '../../src/payments/store/intents.ts';
import { insertIntentRow } from './intent-row.ts';
import { readPaymentWorkload } from '../../src/payments/store/workload.ts';
import { createTestDatabase, type TestDatabase } from '../harness/postgres.ts';
import { sql } from '../harness/rows.ts';

const states: readonly IntentState[] = [
  'requested',
  'action_needed',
  'authorized',
  'captured',
  'voided',
  'refused',
  'unknown',
];

const final: ReadonlySet<IntentState> = new Set(['captured', 'voided', 'refused']);

const newIntent = (): NewIntent => ({
  applicationId: randomUUID(),
  checkoutId: randomUUID(),
  attemptId: randomUUID(),
  purpose: 'booking',
  dueOn: '2027-03-01',
  amountMinor: 500,
  currency: 'USD',
  provider: 'stripe',
});

describe('an attempt to take money', () => {
  let test: TestDatabase;
  before(async () => {
    test = await createTestDatabase();
  });
  after(() => test.drop());

  const inserted = async (intent = newIntent()): Promise<Intent> => {
    const made = await insertIntentRow(test.database, intent);
    assert.ok(made);
    return made;
  };

  /** What the ledger says: debit minus credit of each account. */
  const balances = async ({ applicationId, checkoutId }: Intent) => {
    const balance: Record<string, number> = { authorized: 0, collected: 0 };
    for (const entry of await listEntries(test.database, applicationId, checkoutId)) {
      const amount = entry.amountMinor ?? 0;
      if (entry.debit) balance[entry.debit] = (balance[entry.debit] ?? 0) + amount;
      if (entry.credit) balance[entry.credit] = (balance[entry.credit] ?? 0) - amount;
    }
    return balance;
  };

  it('has a ledger that follows its state, with any events in any order', async () => {
    const steps = fc.array(fc.constantFrom(...states), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(steps, async (results) => {
        let intent = await inserted();
        let held = 0;
        for (const state of results) {
          const earlier = intent;
          intent = await recordIntent(test.database, intent, {
            state,
            providerReference: `pi_${intent.paymentId}`,
          });
          if (final.has(earlier.state)) assert.equal(intent.state, earlier.state);
          if (intent.state === 'authorized') held = 500;
          if (final.has(intent.state)) held = 0;
          const { authorized, collected } = await balances(intent);
          assert.equal(authorized, held, results.join());
          assert.equal(collected, intent.state === 'captured' ? 500 : 0, results.join());
        }
      }),
      { numRuns: 40 },
    );
  });

  it('is made once for an attempt to book, and once for a due amount', async () => {
    const intent = newIntent();
    await inserted(intent);
    assert.equal(await insertIntentRow(test.database, intent), null);
    const instalment = { ...intent, purpose: 'instalment' as const };
    const first = await inserted(instalment);
    assert.equal(await insertIntentRow(test.database, instalment), null);
    await recordIntent(test.database, first, { state: 'refused', declineCode: 'expired_card' });
    await inserted(instalment);
  });

  it('gets another key only after an error that the provider keeps, and what it found then', async () => {
    const sent = await inserted();
    const cut = await recordIntent(test.database, sent, { state: 'unknown' });
    const again = await recordIntent(test.database, cut, { state: 'requested' });
    assert.equal(again.round, 0);
    const kept = await recordIntent(test.database, again, { state: 'unknown', keySpent: true });
    const late = await recordIntent(test.database, kept, { state: 'unknown' });
    assert.equal(late.round, 0);
    const renewed = await recordIntent(test.database, late, { state: 'requested' });
    assert.equal(renewed.round, 1);
    // An answer to the earlier request comes too late.
    const stale = await recordIntent(test.database, kept, { state: 'refused' });
    assert.equal(stale.state, 'requested');
  });

  it('never changes what it is for, and its ledger never changes', async () => {
    const { paymentId } = await inserted();
    const change = (text: string) => sql(test.database, text, [paymentId]);
    for (const text of [
      'UPDATE payment_intents SET amount_minor = amount_minor + 1 WHERE payment_id = $1',
      `UPDATE payment_entries SET kind = 'unknown' WHERE payment_id = $1`,
      'DELETE FROM payment_entries WHERE payment_id = $1',
      `INSERT INTO payment_entries (application_id, checkout_id, payment_id, kind, debit, credit,
        amount_minor, currency) SELECT application_id, checkout_id, $1, 'captured', 'open', 'collected',
        1, 'USD' FROM payment_intents WHERE payment_id = $1`,
      `UPDATE payment_intents SET state = 'authorized' WHERE payment_id = $1`,
    ]) {
      await assert.rejects(change(text), /constraint|never changes|cannot go/, text);
    }
  });

  it('is not given up by somebody who does not know that the provider was asked again', async () => {
    const sent = await inserted();
    const earlier = { ...sent, askedAt: sent.askedAt - 180_000 };
    assert.equal(
      (await recordIntent(test.database, sent, neverArrived(earlier))).state,
      'requested',
    );
    assert.equal((await recordIntent(test.database, sent, neverArrived(sent))).state, 'voided');
  });

  it('is counted while its outcome is not known, by state', async () => {
    const earlier = (await readPaymentWorkload(test.database)).payments;
    const under = ['requested', 'action_needed', 'authorized', 'unknown'] as const;
    for (const state of [...under, 'captured', 'voided', 'refused'] as const) {
      const intent = await inserted();
      if (state === 'requested') continue;
      const providerReference = `pi_${intent.paymentId}`;
      await recordIntent(test.database, intent, { state, providerReference });
    }
    const { payments } = await readPaymentWorkload(test.database);
    for (const state of under) {
      assert.equal(payments[state].count, earlier[state].count + 1, state);
      assert.ok(payments[state].oldestSeconds > 0, state);
    }
  });
});
