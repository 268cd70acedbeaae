import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import {
  transitionBooking,
  releaseExpiredPromotions,
} from '../../../src/bookings/store/bookings.ts';
import { findCheckout } from '../../../src/bookings/store/checkouts.ts';
import type { Executor } from '../../../src/platform/postgres/database.ts';
import { decideSubmit } from '../../../src/bookings/rules/checkout.ts';
import { eventually } from '../../harness/eventually.ts';
import { guest, type OpenCheckout, type Partner } from '../../harness/partner.ts';
import { applyCode, expireQuote, newPromotion, usesOf } from '../../harness/promotions.ts';
import { sql } from '../../harness/rows.ts';
import { startTestService, type TestService } from '../../harness/service.ts';

let service: TestService;
let partner: Partner;
before(async () => {
  service = await startTestService();
  partner = await service.partner();
});
after(() => service.stop());

/** A checkout with the code, ready to be submitted at version 3. */
async function readyWith(code: string): Promise<OpenCheckout> {
  const open = await partner.checkout(await partner.quote(await partner.freeStay()));
  assert.equal((await applyCode(partner, open, code, 1)).status, 200);
  const body = { expectedVersion: 2, guest: guest() };
  await partner.succeed('reservation.checkout.saveGuest', { ...open.at, body });
  return open;
}

const submission = ({ quote }: OpenCheckout, expectedVersion: number) => ({
  expectedVersion,
  termsVersion: quote.terms.version,
  termsAccepted: true as const,
});

/** Runs `work` once, between what a command has read and the statement that writes it. */
function beforeNextMove(work: () => Promise<void>): void {
  const { database } = service;
  const query = database.query;
  database.query = async (statement, values) => {
    if (statement.name !== 'transition-booking') return query(statement, values);
    database.query = query;
    await work();
    return query(statement, values);
  };
}

const submittedWith = async (code: string): Promise<number> => {
  const text = `SELECT count(*)::integer AS submitted FROM bookings
    WHERE promotion_code = $1 AND submitted_at IS NOT NULL`;
  const [row] = await sql<{ submitted: number }>(service.database, text, [code]);
  return row!.submitted;
};

suite('reservation.checkout.submit › the quote expires between read and write', () => {
  test('409 quote_expired › the returned use goes to one other checkout only', async () => {
    const code = await newPromotion(service, { maxUses: 1 });
    const late = await readyWith(code);
    // As if another process had moved it: this one has to read it.
    const move = 'UPDATE bookings SET version = 4 WHERE booking_id = $1';
    await sql(service.database, move, [late.created.checkoutId]);
    let other: OpenCheckout | undefined;
    beforeNextMove(async () => {
      await expireQuote(service, late.quote.quoteId);
      assert.equal(await releaseExpiredPromotions(service.database, 10), 1);
      other = await readyWith(code);
    });
    const refused = await partner.refused('reservation.checkout.submit', {
      ...late.at,
      body: submission(late, 4),
    });
    assert.deepEqual([refused.status, refused.code], [409, 'quote_expired']);
    assert.ok(other, 'the use was taken in between');
    const body = submission(other, 3);
    await partner.succeed('reservation.checkout.submit', { ...other.at, body }, 202);
    assert.equal(await submittedWith(code), 1);
    assert.equal(await usesOf(service, code), 1);
  });

  test('409 quote_expired › without a promotion', async () => {
    const open = await partner.checkout(await partner.quote(await partner.freeStay()));
    const move = 'UPDATE bookings SET version = 2 WHERE booking_id = $1';
    await sql(service.database, move, [open.created.checkoutId]);
    beforeNextMove(async () => void (await expireQuote(service, open.quote.quoteId)));
    const body = { expectedVersion: 2, guest: guest() };
    const refused = await partner.refused('reservation.checkout.saveGuest', { ...open.at, body });
    assert.deepEqual([refused.status, refused.code], [409, 'quote_expired']);
  });

  test('a submit that waits for the row while its use is returned writes nothing', async () => {
    const code = await newPromotion(service, { maxUses: 1 });
    const open = await readyWith(code);
    const { applicationId } = partner.credentials;
    const { checkoutId } = open.created;
    const found = await findCheckout(service.database, applicationId, checkoutId);
    assert.ok(found);
    const change = decideSubmit(found.checkout, open.quote.terms.version, false, found.now);
    if ('refused' in change) assert.fail(change.refused);
    const command = {
      operation: 'submit',
      expectedVersion: 3,
      inputDigest: Buffer.alloc(32),
      refused: false,
    };
    const submit = (executor: Executor) => transitionBooking(executor, change, { command });
    const waits = async (): Promise<void> => {
      const text = `SELECT 1 FROM pg_stat_activity
        WHERE wait_event_type = 'Lock' AND datname = current_database()`;
      await eventually(async () => (await sql(service.database, text)).length === 1);
    };
    let submitted: ReturnType<typeof submit> | undefined;
    await service.database.transaction(async (executor) => {
      const late = `UPDATE quotes SET created_at = now() - interval '1 hour',
        expires_at = now() - interval '1 minute' WHERE quote_id = $1`;
      await sql(executor, late, [open.quote.quoteId]);
      assert.equal(await releaseExpiredPromotions(executor, 10), 1);
      submitted = submit(service.database);
      await waits();
    });
    assert.equal(await submitted, 'overtaken');
    assert.equal(await submittedWith(code), 0);
  });
});
