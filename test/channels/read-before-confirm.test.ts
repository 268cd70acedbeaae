/** The calendars of other channels are read before a booking is confirmed. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, suite, test } from 'node:test';
import { createInventorySupply } from '../../src/bookings/ports/inventory-supply.ts';
import type { Supply } from '../../src/bookings/ports/supply.ts';
import { takeStep } from '../../src/bookings/worker/steps.ts';
import { openChannelsOfHome } from '../../src/channels/index.ts';
import type { Quote } from '../../src/contract/partner/schemas/quote.ts';
import { outsideStayView } from '../../src/channels/views.ts';
import { mustBeRead } from '../../src/channels/rules/before-confirm.ts';
import { readStaleCalendars } from '../../src/channels/store/stale-calendars.ts';
import { calendarsBeforeConfirm } from '../../src/platform/diagnostics.ts';
import { eventually } from '../harness/eventually.ts';
import { Journey } from '../harness/journey.ts';
import { assertNightsFit } from '../harness/nights.ts';
import type { Partner } from '../harness/partner.ts';
import { Receiver, respond, silence, type Reply } from '../harness/receiver.ts';
import { sql } from '../harness/rows.ts';
import { startTestService } from '../harness/service.ts';
import type { CardName } from '../harness/stripe/cards.ts';
import { type PaidService, startPaidService } from '../harness/stripe/service.ts';
import { openResolution } from '../resolution/resolution.ts';
import { feedOf, june, openChannels, takenOf } from './calendars.ts';
import { addCalendar, importCalendar, listingFor, putOutsideStay } from '../harness/acts.ts';

const rules = { loopbackAllowed: true };

let feeds: Receiver;
before(async () => {
  feeds = await Receiver.start();
});
after(() => feeds.close());

const serve = (...events: Parameters<typeof feedOf>): void => {
  feeds.reply = respond(200, {}, feedOf(...events));
};

type Database = PaidService['database'];

/** A calendar of a home that was read long ago, and that nothing reads by itself. */
async function addStale(database: Database, listingId: string): Promise<string> {
  const { slug } = await listingFor(database, listingId);
  const url = feeds.url(`/${listingId}.ics`);
  const { calendarId } = await addCalendar(database, 'test', { listing: slug, url }, rules);
  await makeStale(database, calendarId);
  return calendarId;
}

const makeStale = (database: Database, calendarId: string) =>
  sql(
    database,
    `UPDATE channel_calendars SET refreshed_at = now() - interval '2 minutes', late_at = NULL,
        problem = NULL, failing_since = NULL, failures = 0, reading_until = NULL,
        due_at = now() + interval '1 day', fence = fence + 1
      WHERE calendar_id = $1`,
    [calendarId],
  );

suite('read before confirm, over HTTP', () => {
  let service: PaidService;
  let partner: Partner;
  let card: Partner;
  before(async () => {
    service = await startPaidService();
    partner = await service.partner({ settlement: 'partner' });
    card = await service.partner({ settlement: 'card' });
    // The first read starts the thread that reads calendars, which can take long on a busy machine.
    const { quote } = await quoteAtChannel(partner);
    await book(quote);
  });
  after(() => service.stop());

  const arrivals = (): number => feeds.arrivals.length;

  /** A quote for nights that are free, at a home with a calendar that must be read. */
  async function quoteAtChannel(who: Partner): Promise<{ quote: Quote; calendarId: string }> {
    serve();
    const quote = await who.quote();
    return { quote, calendarId: await addStale(service.database, quote.listingId) };
  }

  const soldBy = ({ checkIn, checkOut }: Quote): void =>
    serve({ uid: 'sold-there', from: checkIn, to: checkOut });

  async function book(quote: Quote): Promise<[state: string, reason: string | null]> {
    const open = await partner.submittedCheckout(undefined, quote);
    await partner.statusOnce(open, ['confirmed', 'failed']);
    const { state, failure } = await partner.succeed('reservation.checkout.get', open.at);
    return [state, failure?.reason ?? null];
  }

  /** A checkout of a guest who has entered the card. */
  async function withCard(quote: Quote, name: CardName): Promise<Journey> {
    const journey = new Journey(card, await card.checkout(quote));
    await journey.done('saveGuest');
    await journey.done('setupPayment');
    await until(journey, ({ paymentSetup }) => paymentSetup?.state === 'ready');
    const { paymentSetup } = await journey.read();
    const secret = paymentSetup!.clientSecret!;
    const paymentMethodId = service.standIn.guest.confirmSetup(secret, name);
    await journey.done('verifyPayment', { body: { paymentMethodId } });
    return journey;
  }
  type Checkout = Awaited<ReturnType<Journey['read']>>;
  const until = async (journey: Journey, isSo: (checkout: Checkout) => boolean): Promise<void> =>
    eventually(async () => isSo(await journey.read()), 20_000);
  const movementsOf = (journey: Journey): string[] =>
    service.standIn.ledger
      .filter(
        ({ paymentIntent }) =>
          service.standIn.payments.get(paymentIntent)?.metadata['checkoutId'] ===
          journey.checkoutId,
      )
      .map(({ kind }) => kind);

  // Spec: CHANNEL-11.
  test('nights that the channel has sold meanwhile: sold_out, and the channel has them', async () => {
    const { quote } = await quoteAtChannel(partner);
    soldBy(quote);
    const earlier = arrivals();
    assert.deepEqual(await book(quote), ['failed', 'sold_out']);
    assert.equal(arrivals(), earlier + 1);
    const taken = await takenOf(service.database, quote.listingId);
    assert.ok(taken.some((one) => one.startsWith('block') && one.endsWith('sold-there')));
    await assertNightsFit(service.database);
  });

  test('one night of them is enough', async () => {
    const { quote } = await quoteAtChannel(partner);
    const { checkIn } = quote;
    const next = new Date(Date.parse(checkIn) + 86_400_000).toISOString().slice(0, 10);
    serve({ uid: 'one-night', from: checkIn, to: next });
    assert.deepEqual(await book(quote), ['failed', 'sold_out']);
  });

  test('nights that the channel has not sold: confirmed, and read once a minute', async () => {
    const { quote, calendarId } = await quoteAtChannel(partner);
    const earlier = arrivals();
    assert.deepEqual(await book(quote), ['confirmed', null]);
    assert.equal(arrivals(), earlier + 1);
    const second = await partner.quote();
    await sql(
      service.database,
      'UPDATE channel_calendars SET listing_id = $2 WHERE calendar_id = $1',
      [calendarId, second.listingId],
    );
    soldBy(second);
    assert.deepEqual(await book(second), ['confirmed', null]);
    assert.equal(arrivals(), earlier + 1, 'not older than a minute');
  });

  test('a card is not touched for nights that the channel has sold', async () => {
    const { quote } = await quoteAtChannel(card);
    const journey = await withCard(quote, 'pm_card_visa');
    soldBy(quote);
    await journey.send('submit');
    await until(journey, ({ state }) => state !== 'pending');
    const { state, failure } = await journey.read();
    assert.deepEqual([state, failure?.reason], ['failed', 'sold_out']);
    assert.deepEqual(movementsOf(journey), []);
  });

  test('again after the guest has authenticated: what was authorized is given back', async () => {
    const { quote, calendarId } = await quoteAtChannel(card);
    const journey = await withCard(quote, 'pm_card_authenticationRequired');
    await journey.send('submit');
    await until(journey, ({ state }) => state === 'requires_action');
    const earlier = arrivals();
    soldBy(quote);
    await makeStale(service.database, calendarId);
    const { paymentSetup } = await journey.read();
    service.standIn.guest.authenticate(paymentSetup!.clientSecret!);
    await journey.send('verifyPayment');
    await until(journey, ({ state }) => state !== 'requires_action' && state !== 'pending');
    const { state, failure } = await journey.read();
    assert.deepEqual([state, failure?.reason], ['failed', 'sold_out']);
    assert.equal(arrivals(), earlier + 1);
    const movements = movementsOf(journey);
    assert.ok(!movements.includes('captured'), movements.join());
    // The money follows the outcome as an effect of its own.
    await eventually(async () =>
      service.standIn.payments
        .values()
        .filter(({ metadata }) => metadata['checkoutId'] === journey.checkoutId)
        .every(({ status }) => status === 'canceled'),
    );
  });

  const stopsNothing: [name: string, reply: Reply, outcome: string][] = [
    ['a read that fails', respond(503), 'failed'],
    ['a read that is late', silence, 'late'],
  ];
  for (const [name, reply, outcome] of stopsNothing) {
    test(`${name} does not stop the booking, is counted, and is not tried again within a minute`, async () => {
      const outcomes: string[] = [];
      const end = calendarsBeforeConfirm.subscribe((one) => void outcomes.push(one.outcome));
      const { quote, calendarId } = await quoteAtChannel(partner);
      feeds.reply = reply;
      const earlier = arrivals();
      assert.deepEqual(await book(quote), ['confirmed', null]);
      assert.equal(arrivals(), earlier + 1);
      const second = await partner.quote();
      await sql(
        service.database,
        'UPDATE channel_calendars SET listing_id = $2 WHERE calendar_id = $1',
        [calendarId, second.listingId],
      );
      assert.deepEqual(await book(second), ['confirmed', null]);
      assert.equal(arrivals(), earlier + 1);
      assert.deepEqual(outcomes, [outcome]);
      end();
    });
  }
});

test('LATCHKEY_CALENDAR_BEFORE_CONFIRM=off asks nobody', async () => {
  const service = await startTestService({
    LATCHKEY_ENVIRONMENT: 'test',
    LATCHKEY_CALENDAR_BEFORE_CONFIRM: 'off',
  });
  const partner = await service.partner({ settlement: 'partner' });
  const quote = await partner.quote();
  await addStale(service.database, quote.listingId);
  serve({ uid: 'sold', from: quote.checkIn, to: quote.checkOut });
  const earlier = feeds.arrivals.length;
  const open = await partner.submittedCheckout(undefined, quote);
  assert.equal((await partner.statusOnce(open, ['confirmed', 'failed'])).state, 'confirmed');
  assert.equal(feeds.arrivals.length, earlier);
  await service.stop();
});

suite('the look at the other channels', () => {
  test('is shared by bookings, also of several processes, and waits for nobody too long', async () => {
    const channels = await openChannels();
    const { database } = channels;
    const lines: string[] = [];
    const log = {
      info: () => undefined,
      warn: (_details: object, message: string) => void lines.push(message),
    };
    const context = { database, log, rules, everySeconds: 1_800 };
    const [one, other] = [openChannelsOfHome(context), openChannelsOfHome(context)];
    const home = channels.nextHome();
    const calendarId = await addStale(database, home);
    const held = Promise.withResolvers<void>();
    feeds.reply = (response, arrival) =>
      void held.promise.then(() => respond(200, {}, feedOf())(response, arrival));
    const earlier = feeds.arrivals.length;
    let ended = 0;
    const looks = [one, other, one, other].map(async (process) => {
      await process.look(home);
      ended += 1;
    });
    await eventually(async () => feeds.arrivals.length > earlier, 10_000);
    assert.equal(ended, 0);
    held.resolve();
    await Promise.all(looks);
    assert.equal(feeds.arrivals.length, earlier + 1);
    assert.deepEqual(lines, []);

    // One whose process was killed is being read for a minute: bookings do not wait longer than usual for it.
    await makeStale(database, calendarId);
    await sql(
      database,
      `UPDATE channel_calendars SET reading_until = now() + interval '1 minute' WHERE calendar_id = $1`,
      [calendarId],
    );
    const brief = openChannelsOfHome({ ...context, waitMs: 100 });
    await brief.look(home);
    assert.deepEqual(lines, ['channel calendar late before a booking']);
    assert.equal(feeds.arrivals.length, earlier + 1);
    await brief.look(home);
    assert.equal(lines.length, 1, 'not again within a minute');
    for (const process of [one, other, brief]) await process.stop();
    await channels.drop();
  });

  test('reads neither files nor what was read within a minute, and keeps the plan of the others', async () => {
    const channels = await openChannels();
    const { database } = channels;
    const log = { info: () => undefined, warn: () => undefined };
    const process = openChannelsOfHome({ database, log, rules, everySeconds: 1_800 });
    const home = channels.nextHome();
    const bytes = Buffer.from(feedOf({ uid: 'f', from: june(1), to: june(2) }));
    await importCalendar(database, 'test', { listing: home, name: 'f.ics', bytes });
    const calendarId = await addStale(database, home);
    serve({ uid: 'a', from: june(10), to: june(12) });
    const soon = `UPDATE channel_calendars SET due_at = now() + interval '5 minutes' WHERE calendar_id = $1`;
    await sql(database, soon, [calendarId]);
    const { nextAt: planned } = await channels.shown(calendarId);
    const earlier = feeds.arrivals.length;
    await process.look(home);
    await process.look(home);
    assert.equal(feeds.arrivals.length, earlier + 1);
    assert.equal((await channels.shown(calendarId)).nextAt, planned);
    assert.deepEqual(await takenOf(database, home), ['block 01–02 f', 'block 10–12 a']);
    await process.stop();
    await channels.drop();
  });
});

test('SQL chooses the calendars that the rule names', async () => {
  const channels = await openChannels();
  const { database } = channels;
  const home = channels.nextHome();
  const calendarId = await addStale(database, home);
  const ages = [null, 30, 90];
  for (const whole of ages) {
    for (const failed of ages) {
      for (const late of ages) {
        await sql(
          database,
          `UPDATE channel_calendars SET refreshed_at = now() - make_interval(secs => $2),
              problem = CASE WHEN $3::float8 IS NOT NULL THEN 'timeout' END,
              failing_since = CASE WHEN $3::float8 IS NOT NULL THEN now() END,
              failures = CASE WHEN $3::float8 IS NOT NULL THEN 1 ELSE 0 END,
              checked_at = now() - make_interval(secs => coalesce($3::float8, $2)),
              late_at = now() - make_interval(secs => $4)
            WHERE calendar_id = $1`,
          [calendarId, whole, failed, late],
        );
        const stale = (await readStaleCalendars(database, home)).length === 1;
        assert.equal(stale, mustBeRead({ whole, failed, late }), `${whole} ${failed} ${late}`);
      }
    }
  }
  await channels.drop();
});

suite('confirm', () => {
  let afterHold: (listingId: string) => Promise<unknown>;
  let resolution: Awaited<ReturnType<typeof openResolution>>;
  before(async () => {
    resolution = await openResolution({
      supply: (_real, database): Supply => {
        const own = createInventorySupply(database);
        // Nobody looks at the channels here: only confirm can find the conflict.
        return {
          ...own,
          async recheck(booking) {
            await afterHold(booking.quote.listingId);
            return { outcome: 'done' };
          },
        };
      },
    });
  });
  beforeEach(() => {
    afterHold = () => Promise.resolve();
  });
  after(() => resolution.drop());

  test('is refused while a channel has an event for the held nights, however it was read', async () => {
    const { database, testWorker } = resolution;
    const bookingId = await resolution.make();
    afterHold = async (listing) => {
      const [stay] = await sql<{ from: string; to: string }>(
        database,
        `SELECT lower(nights) AS from, upper(nights) AS to FROM occupancies WHERE kind = 'held'`,
      );
      const bytes = Buffer.from(feedOf({ uid: 'late', ...stay! }));
      await importCalendar(database, 'test', { listing, name: 'c.ics', bytes });
    };
    const [claim] = await testWorker.claim();
    await takeStep(testWorker.context, claim!);
    const { state } = await resolution.state(bookingId);
    assert.equal(state, 'failed');
    const taken = await sql<{ kind: string; uid: string }>(
      database,
      'SELECT kind, event_uid AS uid FROM occupancies',
    );
    assert.deepEqual(taken, [{ kind: 'block', uid: 'late' }]);
    assert.deepEqual(await sql(database, 'SELECT FROM channel_conflicts'), []);
  });

  test('is refused for nights that another system has sold, which has them then', async () => {
    const { database, testWorker } = resolution;
    await sql(database, 'DELETE FROM occupancies');
    const bookingId = await resolution.make();
    let conflicts: unknown;
    afterHold = async (listing) => {
      const [stay] = await sql<{ from: string; to: string }>(
        database,
        `SELECT lower(nights) AS from, upper(nights) AS to FROM occupancies WHERE kind = 'held'`,
      );
      const told = { listing, ...stay!, reason: null };
      const name = { source: 'pms', externalId: 'late' };
      const put = await putOutsideStay(database, 'test', name, told);
      ({ conflicts } = outsideStayView(put.stay));
      assert.deepEqual(conflicts, [{ kind: 'reservation', ...stay! }]);
    };
    const [claim] = await testWorker.claim();
    await takeStep(testWorker.context, claim!);
    assert.ok(conflicts);
    assert.equal((await resolution.state(bookingId)).state, 'failed');
    const taken = await sql<{ source: string; nights: string }>(
      database,
      `SELECT source FROM occupancies WHERE outside_stay_id IS NOT NULL`,
    );
    assert.deepEqual(taken, [{ source: 'outside' }]);
  });
});
