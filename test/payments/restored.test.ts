/** A restore under a card provider that remembers: nothing is charged or refunded a second time. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { defaultPoolLimits, openDatabase } from '../../src/platform/postgres/database.ts';
import { believed } from '../../src/platform/clock.ts';
import { folderStorage } from '../../src/platform/file-storage/folder.ts';
import { taskRuns } from '../../src/platform/diagnostics.ts';
import { backgroundTasks, startBackgroundTasks } from '../../src/program/background-tasks.ts';
import { runCommandLine } from '../../src/cli/run-command-line.ts';
import { eventually } from '../harness/eventually.ts';
import { Journey } from '../harness/journey.ts';
import { operatorOf } from '../harness/operator.ts';
import type { Partner } from '../harness/partner.ts';
import { testConnection } from '../harness/postgres.ts';
import { onDatabase } from '../harness/service-process.ts';
import { type Backups, backupsOf } from '../harness/restored-database.ts';
import { sql } from '../harness/rows.ts';
import { confirmedReference, enterCard, submittedByCard } from '../harness/stripe/card-journey.ts';
import { post, signed } from '../harness/stripe/events.ts';
import { type PaidService, startPaidService, webhookSecret } from '../harness/stripe/service.ts';
import { LostEffects } from './lost-effects.ts';
import { refundPayment, showPayments, startPayment } from '../harness/acts.ts';

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
    // As a dump: another database of the server, and less than a minute old.
    await service.restart(() => backups.make());
    await lost.happen();
  });
  after(async () => {
    await service.stop();
    await backups.clear();
  });

  // Spec: RESTORE-2.
  it('charges and refunds nothing again, and books what it had lost', async () => {
    const copy = openDatabase(
      backups.copy,
      service.database.vault,
      defaultPoolLimits,
      () => undefined,
    );
    const may = await sql(copy, 'SELECT may_move_money() AS may');
    await copy.close();
    assert.deepEqual(may, [{ may: false }], 'also before a process has looked for its epoch');
    await service.restart(() => backups.restore());
    await lost.checkPutBack('server');
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

describe('a backup from before the first payment by card', () => {
  let service: PaidService;
  let backups: Backups;

  before(async () => {
    service = await startPaidService();
    backups = await backupsOf(service.database);
  });
  after(async () => {
    await service.stop();
    await backups.clear();
  });

  // Spec: RESTORE-2.
  it('shows the payment to staff, and the booking that is sent again is not charged again', async () => {
    const card = await service.partner({ settlement: 'card' });
    const administrator = await operatorOf(service, 'administrator');
    await service.restart(() => backups.make());
    const { standIn } = service;
    const first = new Journey(card, await card.checkout());
    await first.done('saveGuest');
    const paymentMethodId = await enterCard(service, first);
    await first.done('verifyPayment', { body: { paymentMethodId } });
    await first.done('submit');
    await confirmedReference(first);
    const charged = standIn.ledger.map(({ kind, paymentIntent }) => `${kind} ${paymentIntent}`);
    await service.restart(() => backups.restore());

    let epoch = await administrator.done('operator.restore.get');
    await eventually(async () => {
      epoch = await administrator.done('operator.restore.get');
      return epoch.moneyMoves;
    }, withinMs);
    assert.deepEqual(
      epoch.effects.map(({ checkoutId, outcome }) => [checkoutId, outcome]),
      [[first.checkoutId, 'unmatched']],
    );

    const waiting = async () => {
      const { items } = await administrator.done('operator.attention.list');
      return items.map(({ kind }) => kind);
    };
    assert.deepEqual(await waiting(), ['unmatched']);

    const { quoteId, listingId, checkIn, checkOut } = first.open.quote;
    const quote = await card.succeed('reservation.quote.create', {
      body: { quoteId, listingId, checkIn, checkOut, party: { adults: 2 } },
    });
    const again = new Journey(card, await card.checkout(quote, first.checkoutId));
    await again.done('saveGuest');
    await again.done('setupPayment');
    await eventually(async () => (await again.read()).paymentSetup?.state === 'ready', withinMs);
    await again.done('verifyPayment', { body: { paymentMethodId } });
    await again.done('submit');
    const reference = await confirmedReference(again);
    const now = standIn.ledger.map(({ kind, paymentIntent }) => `${kind} ${paymentIntent}`);
    assert.deepEqual(now, charged);
    const shown = await showPayments(service.database, reference);
    assert.deepEqual([shown.open, shown.attention], [0, null]);
    assert.deepEqual(await waiting(), [], 'nobody gives back what a reservation has');
    const { effects } = await administrator.done('operator.restore.get');
    assert.deepEqual(
      effects.map(({ outcome }) => outcome),
      ['booked'],
    );
    const [effect] = effects;
    const closing = { params: { effectId: effect!.providerReference }, body: { reason } };
    assert.equal((await administrator.refused('operator.restore.close', closing)).code, 'conflict');
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

  it('reads no calendar, and tells nobody, for staff', async () => {
    const administrator = await operatorOf(service, 'administrator');
    const calendar = { params: { calendarId: randomUUID() }, body: {} };
    const acts = [
      await administrator.refused('operator.channelCalendar.refresh', calendar),
      await administrator.refused('operator.alert.test', { body: {} }),
    ];
    for (const { status, details } of acts) {
      assert.deepEqual([status, details], [409, { reason: 'outside_off' }]);
    }
  });

  it('asks the provider nothing by a command without the setting', async () => {
    const calls = service.standIn.calls.length;
    const [row] = await sql<{ name: string }>(
      service.database,
      'SELECT current_database()::text AS name',
    );
    const connection = { ...testConnection(), database: row!.name };
    const env = { ...service.keys, ...onDatabase({ connection }) };
    const silent = { print: () => undefined, write: () => Promise.resolve(), terminal: null };
    const words = ['payment', 'payouts', '--from', '2026-11-01', '--to', '2026-11-02'];
    const { exitCode } = await runCommandLine(words, env, silent);
    assert.equal(exitCode, 1);
    assert.equal(service.standIn.calls.length, calls);
  });

  it('removes no pictures, which the original may need', async () => {
    const tasks = new Set<string>();
    const end = taskRuns.subscribe(({ task }) => tasks.add(task));
    const running = startBackgroundTasks({
      database: service.database,
      clock: believed,
      pictures: folderStorage('nowhere'),
      isCopy: true,
      log: { warn: () => undefined },
      phase: 0,
    });
    const others = backgroundTasks.filter(({ name }) => name !== 'sweep pictures');
    await eventually(async () => others.every(({ name }) => tasks.has(name)), withinMs);
    await running.stop();
    end();
    assert.ok(!tasks.has('sweep pictures'));
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
