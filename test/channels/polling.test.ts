/** Workers that poll calendars: together, beside bookings, killed, and over the network of others. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, suite, test } from 'node:test';
import { startPolling } from '../../src/channels/index.ts';
import { createConnections } from '../../src/platform/sending/connections.ts';
import type { Dial, DialTarget } from '../../src/platform/sending/dial.ts';
import { eventually } from '../harness/eventually.ts';
import { signalThatEnds } from '../harness/killed-program.ts';
import { assertNightsFit, deadlocks } from '../harness/nights.ts';
import { respond, type Reply } from '../harness/receiver.ts';
import { sql } from '../harness/rows.ts';
import { feedOf, june, openChannels, takenOf, type TestChannels } from './calendars.ts';
import type { Refreshing } from './refreshing.ts';

const silent = { info: () => undefined, warn: () => undefined };
const program = new URL('refreshing.ts', import.meta.url);

let channels: TestChannels;
before(async () => {
  channels = await openChannels();
});
after(() => channels.drop());

const serve = (...events: Parameters<typeof feedOf>): void => {
  channels.feeds.reply = respond(200, {}, feedOf(...events));
};
suite('polling', () => {
  test('two workers share the due calendars, and each is read once', async () => {
    serve({ uid: 'a', from: june(1), to: june(4) });
    const homes = Array.from({ length: 20 }, () => channels.nextHome());
    for (const home of homes) await channels.add(home, channels.feeds.url(`/${home}`));
    const { database } = channels;
    let changes = 0;
    const context = {
      database,
      log: silent,
      rules: { loopbackAllowed: true },
      everySeconds: 1_800,
      onChangedNights: () => (changes += 1),
    };
    const workers = [startPolling(context), startPolling(context)];
    const isRead = async () =>
      (await sql(database, 'SELECT FROM channel_calendars WHERE refreshed_at IS NULL')).length ===
      0;
    await eventually(isRead, 30_000);
    await Promise.all(workers.map((worker) => worker.stop()));
    assert.deepEqual(
      channels.feeds.arrivals.map(({ path }) => path.slice(1)).toSorted(),
      homes.toSorted(),
    );
    for (const home of homes) assert.deepEqual(await takenOf(database, home), ['block 01–04 a']);
    assert.equal(changes, homes.length);
  });

  test('a failure is logged without the URL, and a worker that stops writes nothing', async () => {
    const logged: string[] = [];
    const note = (details: object, message: string) =>
      void logged.push(JSON.stringify([message, details]));
    const { database } = channels;
    const home = channels.nextHome();
    await sql(database, `UPDATE channel_calendars SET due_at = now() + interval '1 day'`);
    const calendarId = await channels.add(home, channels.feeds.url('/secret.ics'));
    channels.feeds.reply = respond(404);
    const context = {
      database,
      log: { info: note, warn: note },
      rules: { loopbackAllowed: true },
      everySeconds: 1_800,
    };
    const first = startPolling(context);
    await eventually(async () => logged.length > 0, 30_000);
    await first.stop();
    assert.equal(logged.length, 1);
    assert.match(
      logged[0]!,
      /channel calendar not read.*"problem":"status","detail":"404","failures":1/,
    );
    assert.ok(!logged[0]!.includes('secret'));
    const failed = await channels.shown(calendarId);
    assert.equal(failed.failures, 1);
    await sql(database, 'UPDATE channel_calendars SET due_at = now() WHERE calendar_id = $1', [
      calendarId,
    ]);
    channels.feeds.reply = () => undefined;
    const arrived = channels.feeds.arrivals.length;
    const second = startPolling(context);
    await eventually(async () => channels.feeds.arrivals.length > arrived, 30_000);
    await second.stop();
    assert.equal((await channels.shown(calendarId)).failures, 1);
    assert.equal(logged.length, 1);
  });
});

suite('a redirect', () => {
  test('is followed to an address that was checked, once it was resolved', async () => {
    const dialled: DialTarget[] = [];
    // The test answers for every address.
    const dial: Dial = (target, done) => {
      dialled.push(target);
      const socket = connect(channels.feeds.port, '127.0.0.1', () => done(null, socket));
    };
    const connections = createConnections(dial);
    const resolved: string[] = [];
    const resolve = async (name: string): Promise<string[]> => {
      resolved.push(name);
      return name === 'inner.example' ? ['10.0.0.7'] : ['93.184.216.34'];
    };
    const remote = await openChannels({ connections, resolve });
    const home = remote.nextHome();
    let target = 'https://elsewhere.example/b.ics';
    channels.feeds.reply = (response, { path }) =>
      path === '/a.ics'
        ? respond(302, { location: target })(response, null as never)
        : respond(
            200,
            {},
            feedOf({ uid: 'a', from: june(1), to: june(4) }),
          )(response, null as never);
    const calendarId = await remote.add(home, 'https://calendars.example/a.ics');
    assert.equal((await remote.refresh(calendarId)).outcome, 'refreshed');
    assert.deepEqual(resolved, ['calendars.example', 'elsewhere.example']);
    assert.deepEqual(
      dialled.map(({ address, tlsName }) => [address, tlsName]),
      [
        ['93.184.216.34', 'calendars.example'],
        ['93.184.216.34', 'elsewhere.example'],
      ],
    );
    for (const [to, problem] of [
      ['https://inner.example/b.ics', 'forbidden_address'],
      ['http://elsewhere.example/b.ics', 'forbidden_address'],
      ['https://calendars.example/a.ics', 'redirects'],
    ] as const) {
      target = to;
      const refreshed = await remote.refresh(calendarId);
      assert.ok(refreshed.outcome === 'failed' && refreshed.problem.problem === problem, to);
    }
    assert.ok(dialled.every(({ address }) => address === '93.184.216.34'));
    await connections.destroy();
    await remote.drop();
  });
});

suite('a redirect to this machine', () => {
  const here =
    (location: string): Reply =>
    (response, arrival) =>
      arrival.path === '/a.ics'
        ? respond(307, { location })(response, arrival)
        : respond(200, {}, feedOf({ uid: 'a', from: june(1), to: june(4) }))(response, arrival);

  test('is followed where the address itself may be here', async () => {
    channels.feeds.reply = here(channels.feeds.url('/b.ics'));
    const calendarId = await channels.add(channels.nextHome(), channels.feeds.url('/a.ics'));
    assert.equal((await channels.refresh(calendarId)).outcome, 'refreshed');
  });

  test('is not followed elsewhere', async () => {
    const dial: Dial = (_target, done) => {
      const socket = connect(channels.feeds.port, '127.0.0.1', () => done(null, socket));
    };
    const connections = createConnections(dial);
    const resolve = async (): Promise<string[]> => ['93.184.216.34'];
    const rules = { loopbackAllowed: false };
    const remote = await openChannels({ connections, resolve, rules });
    channels.feeds.reply = here(channels.feeds.url('/b.ics'));
    const home = remote.nextHome();
    const calendarId = await remote.add(home, 'webcal://calendars.example/a.ics');
    assert.equal((await remote.shown(calendarId)).url, 'https://calendars.example/a.ics');
    assert.equal(await remote.add(home, 'https://calendars.example/a.ics'), calendarId);
    const refreshed = await remote.refresh(calendarId);
    assert.ok(refreshed.outcome === 'failed');
    assert.equal(refreshed.problem.problem, 'forbidden_address');
    await connections.destroy();
    await remote.drop();
  });
});

suite('beside bookings', () => {
  test('bookings and two calendars want the same nights: each night is taken once, and nobody waits for ever', async () => {
    const { database } = channels;
    const home = channels.nextHome();
    const calendars = [
      await channels.add(home, channels.feeds.url('/x')),
      await channels.add(home, channels.feeds.url('/y')),
    ];
    let round = 0;
    // Every second read has other events, so every refresh removes or adds.
    channels.feeds.reply = (response, { path }) => {
      round += 1;
      const first = 1 + ((Math.floor(round / 2) * 3) % 5);
      const events = [0, 7, 14].map((days) => ({
        uid: `${path}${days}`,
        from: june(first + days),
        to: june(first + days + 4),
      }));
      respond(200, {}, feedOf(...events))(response, null as never);
    };
    const book = async (at: number): Promise<void> => {
      const from = 1 + ((at * 5) % 20);
      await sql(
        database,
        `INSERT INTO occupancies (listing_id, nights, kind, application_id, booking_kind, booking_id)
          VALUES ($1, daterange($2, $3), 'held', $1, 'request', $1) ON CONFLICT DO NOTHING`,
        [home, june(from), june(from + 2)],
      );
      await sql(
        database,
        `DELETE FROM occupancies WHERE listing_id = $1 AND kind = 'held' AND lower(nights) = $2`,
        [home, june(1 + (((at - 3) * 5) % 20))],
      );
    };
    const read = async (calendarId: string): Promise<void> => {
      for (let times = 0; times < 15; times += 1) {
        const { outcome } = await channels.readLater(calendarId, 360);
        assert.equal(outcome, 'refreshed');
      }
    };
    const bookings = async (): Promise<void> => {
      for (let at = 3; at < 60; at += 1) await book(at);
    };
    await Promise.all([...calendars.map(read), bookings(), bookings()]);
    await sql(database, `DELETE FROM occupancies WHERE kind = 'held'`);
    await assertNightsFit(database).catch((error: unknown) => {
      // Blocks are no nights of a booking.
      assert.match(String(error), /are block for a booking/);
    });
    assert.equal(await deadlocks(database), 0);
    const free = await sql(
      database,
      `SELECT FROM channel_conflicts k JOIN channel_calendars c ON c.calendar_id = k.calendar_id
        WHERE NOT datemultirange(k.nights) <@ (
          SELECT range_agg(nights) FROM occupancies o WHERE o.listing_id = c.listing_id)`,
    );
    assert.deepEqual(free, [], 'no event has a night that is free');
    serve();
    await channels.readLater(calendars[1]!, 360);
    serve({ uid: 'last', from: june(1), to: june(10) });
    await channels.readLater(calendars[0]!, 360);
    assert.deepEqual(await takenOf(database, home), ['block 01–10 last']);
  });
});

suite('a worker killed with -9 while it refreshes', () => {
  async function refreshInProcess(failpoint: string): Promise<NodeJS.Signals | null> {
    const argument: Refreshing = { connection: channels.connection, failpoint };
    return signalThatEnds(program, argument);
  }

  for (const failpoint of ['after:claim-channel-calendars', 'before:write-calendar-result']) {
    test(`${failpoint} › nothing has changed, and the next worker reads it`, async () => {
      const { database } = channels;
      const home = channels.nextHome();
      serve({ uid: 'a', from: june(1), to: june(4) });
      await sql(database, `UPDATE channel_calendars SET due_at = now() + interval '1 day'`);
      const calendarId = await channels.add(home, channels.feeds.url(`/${home}`));
      await channels.refresh(calendarId);
      serve({ uid: 'b', from: june(2), to: june(6) });
      await sql(database, 'UPDATE channel_calendars SET due_at = now() WHERE calendar_id = $1', [
        calendarId,
      ]);
      assert.equal(await refreshInProcess(failpoint), 'SIGKILL');
      assert.deepEqual(await takenOf(database, home), ['block 01–04 a']);
      assert.ok((await channels.shown(calendarId)).nextAt! > Date.now(), 'leased');
      assert.equal((await channels.readLater(calendarId)).outcome, 'refreshed');
      assert.deepEqual(await takenOf(database, home), ['block 02–06 b']);
    });
  }
});
