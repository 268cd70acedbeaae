/** A restore under a card provider that remembers: nothing is charged or refunded a second time. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { eventually } from '../harness/eventually.ts';
import type { Partner } from '../harness/partner.ts';
import { type Backups, backupsOf } from '../harness/restored-database.ts';
import { sql } from '../harness/rows.ts';
import { confirmedReference, submittedByCard } from '../harness/stripe/card-journey.ts';
import { post, signed } from '../harness/stripe/events.ts';
import { type PaidService, startPaidService, webhookSecret } from '../harness/stripe/service.ts';
import { LostEffects } from './lost-effects.ts';
import { refundPayment, startPayment } from '../harness/acts.ts';

const actor = 'test:staff';
const reason = 'The guest has called.';
const withinMs = 20_000;

describe('a restore as the guide describes it', () => {
  let service: PaidService;
  let backups: Backups;
  let lost: LostEffects;

  before(async () => {
    service = await startPaidService();
    backups = await backupsOf(service.database);
    lost = new LostEffects(service, await service.partner({ settlement: 'card' }));
    await lost.begin();
    await service.restart(async () => {
      // Ten minutes before the restore.
      await sql(
        service.database,
        `UPDATE installation SET alive_at = now() - interval '10 minutes'`,
      );
      await backups.make();
    });
    await lost.happen();
  });
  after(async () => {
    await service.stop();
    await backups.clear();
  });

  // Spec: RESTORE-2.
  it('charges and refunds nothing again, and books what it had lost', async () => {
    await service.restart(() => backups.restore());
    await lost.checkPutBack('gap');
  });

  // Spec: RESTORE-3.
  it('leaves to staff what is open of such a reservation, until they start it again', async () => {
    const reference = lost.refunded;
    const { open } = await lost.show(reference);
    assert.equal(open, 500, 'what was given back is due again, for all that our rows know');
    await startPayment(service.database, actor, { reference, reason });
    await eventually(async () => {
      const { open: now, attention } = await lost.show(reference);
      return now === 0 && attention === null;
    }, withinMs);
  });
});

describe('a copy that calls nothing outside', () => {
  let service: PaidService;
  let card: Partner;
  let reference: string;

  before(async () => {
    service = await startPaidService();
    card = await service.partner({ settlement: 'card' });
    reference = await confirmedReference(await submittedByCard(service, card));
    await service.restart(async () => undefined, { LATCHKEY_OUTSIDE: 'off' });
  });
  after(() => service.stop());

  // Spec: RESTORE-4.
  it('serves partners, sells nothing by card, and asks the provider nothing', async () => {
    const calls = service.standIn.calls.length;
    const partner = await service.partner();
    const open = await partner.submittedCheckout();
    await partner.statusOnce(open, ['confirmed']);
    const quote = await card.quote();
    const body = { checkoutId: randomUUID(), quoteId: quote.quoteId };
    const refused = await card.refused('reservation.checkout.create', { body });
    assert.deepEqual([refused.status, refused.code], [503, 'not_configured']);
    assert.equal(service.standIn.calls.length, calls);
  });

  it('refuses acts of staff that move money', async () => {
    await assert.rejects(
      refundPayment(service.database, actor, { reference, amount: 100, reason }),
      /outside_off/,
    );
  });

  it("leaves the provider's events to the original", async () => {
    const event = service.standIn.events.at(-1)!;
    const { status } = await post(service.origin, signed(event, webhookSecret));
    assert.equal(status, 503);
  });

  it('lets submitted card bookings and webhooks wait, and begins an epoch when it may call again', async () => {
    const waiting = `UPDATE bookings SET due_at = now() - interval '1 minute'
      WHERE settlement = 'card' AND state = 'confirmed' RETURNING fence`;
    const [before_] = await sql(service.database, waiting);
    assert.ok(before_);
    const partner = await service.partner();
    await partner.statusOnce(await partner.submittedCheckout(), ['confirmed']);
    const fence = `SELECT fence FROM bookings WHERE settlement = 'card' AND due_at IS NOT NULL`;
    assert.deepEqual(await sql(service.database, fence), [before_], 'no worker has claimed it');

    await service.restart(async () => undefined);
    const epoch = 'SELECT reason FROM epochs ORDER BY epoch DESC LIMIT 1';
    assert.deepEqual(await sql(service.database, epoch), [{ reason: 'outside_off' }]);
  });
});
