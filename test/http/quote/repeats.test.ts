import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import type { Supply } from '../../../src/bookings/ports/supply.ts';
import type { Quote } from '../../../src/contract/partner/schemas/quote.ts';
import { dayNumber } from '../../../src/pricing/rules/calendar-date.ts';
import type { Listing } from '../../../src/pricing/rules/listing.ts';
import { isNightOpen } from '../../../src/simulation/pattern.ts';
import {
  changeHome,
  followed,
  withdrawHomes,
  easyStays,
  freeNights,
  homesOf,
  plainPrices,
  plainRates,
  plusDays,
  sql,
} from '../../harness/catalog.ts';
import { daysAhead, type Partner } from '../../harness/partner.ts';
import { startTestService, type TestService } from '../../harness/service.ts';
import { uuidV8 } from '../../harness/uuids.ts';

type Body = {
  quoteId?: string;
  listingId: string;
  checkIn: string;
  checkOut: string;
  party: object;
};

type OpenNights = Supply['openNights'];

const asItIs = (real: OpenNights): OpenNights => real;
/** Changes the reads of free nights, as a test needs it. */
let changedReads = asItIs;

let service: TestService;
let partner: Partner;
let homes: Listing[];
let stay: { listingId: string; checkIn: string; checkOut: string };
before(async () => {
  service = await startTestService(
    {},
    {
      changeSupply: (supply) => ({
        ...supply,
        openNights: (...asked) => changedReads(supply.openNights)(...asked),
      }),
    },
  );
  partner = await service.partner();
  homes = await homesOf(service);
  const easy = { stayRules: easyStays, ...plainPrices, sleeps: null };
  const home = await changeHome(service, partner, homes[0]!, easy);
  stay = await freeNights(partner, home.listingId, 4, daysAhead(30));
});
after(() => service.stop());

const send = (body: Body, who = partner, headers: Record<string, string> = {}) =>
  who.call('reservation.quote.create', { rawBody: JSON.stringify(body), headers });

const bodyOf = (quoteId: string): Body & { quoteId: string } => ({
  quoteId,
  ...stay,
  party: { adults: 2 },
});

/** A quote as it was made, with the body that made it. */
async function made(who = partner) {
  const body = bodyOf(randomUUID());
  const reply = await send(body, who);
  assert.equal(reply.status, 201, reply.text);
  return { body, text: reply.text };
}

suite('reservation.quote.create › repeats', () => {
  // Spec: REPEAT-2.
  test('200 › the same bytes', async () => {
    const { body, text } = await made();
    const again = await send(body);
    assert.equal(again.status, 200);
    assert.equal(again.text, text);
  });

  test('200 › the same input in another spelling', async () => {
    const { body, text } = await made();
    const { quoteId, listingId, checkIn, checkOut } = body;
    const ways = [
      { party: { adults: 2 }, checkOut, checkIn, listingId, quoteId },
      { ...body, party: { pets: 0, infants: 0, children: 0, adults: 2 } },
      { ...body, quoteId: quoteId.toUpperCase(), listingId: listingId.toUpperCase() },
    ];
    const rawBodies = [
      ...ways.map((way) => JSON.stringify(way, null, 2)),
      JSON.stringify(body).replace('"adults":2', '"adults":2.0'),
      JSON.stringify(body).replace('"adults":2', '"adults":20e-1'),
    ];
    for (const rawBody of rawBodies) {
      const again = await partner.call('reservation.quote.create', { rawBody });
      assert.equal(again.status, 200, rawBody);
      assert.equal(again.text, text);
    }
  });

  test('200 › consumes no quota, and works when none is left', async () => {
    const poor = await service.partner({ quotas: { search: 2 } });
    const { body, text } = await made(poor);
    for (let time = 0; time < 4; time += 1) {
      const again = await send(body, poor);
      assert.equal(again.status, 200);
      assert.match(again.headers.get('ratelimit') ?? '', /;r=1;/);
    }
    await made(poor);
    assert.equal((await send(bodyOf(randomUUID()), poor)).status, 429);
    const again = await send(body, poor);
    assert.equal(again.status, 200);
    assert.equal(again.text, text);
    const different = await send({ ...body, party: { adults: 3 } }, poor);
    assert.equal(different.status, 429, 'what is no repeat uses quota before it is a conflict');
  });

  test('200 › also after the price and the terms of the home changed', async () => {
    const { body, text } = await made();
    const rates = { ...plainRates, nightly: 55_500, weekdays: { fri: 66_600 } };
    await changeHome(service, partner, homes[0]!, {
      stayRules: easyStays,
      ...plainPrices,
      rates,
      cancellation: [],
      sleeps: null,
    });
    const again = await send(body);
    assert.equal(again.status, 200);
    assert.equal(again.text, text);
    const fresh = (await send(bodyOf(randomUUID()))).body as Quote;
    assert.notEqual(fresh.charges.total, (JSON.parse(text) as Quote).charges.total);
  });

  test('200 › also after it expired', async () => {
    const { body } = await made();
    await sql(
      service,
      `UPDATE quotes SET created_at = created_at - interval '1 hour', expires_at = expires_at - interval '1 hour'
        WHERE quote_id = $1`,
      [body.quoteId],
    );
    const again = await send(body);
    assert.equal(again.status, 200);
    assert.ok(Date.parse((again.body as Quote).expiresAt) < Date.now());
  });

  // Spec: REPEAT-6.
  test('200 › also after its check-in date has passed at the property', async () => {
    // Twelve hours behind UTC and fourteen ahead: where it moves to, it is always a later day.
    const today = Temporal.Now.plainDateISO('Etc/GMT+12').toString();
    const free = homes.slice(4).find(({ listingId }) => isNightOpen(listingId, dayNumber(today)));
    const home = await changeHome(service, partner, free!, {
      timeZone: 'Etc/GMT+12',
      stayRules: easyStays,
      ...plainPrices,
      sleeps: null,
    });
    const night = { checkIn: today, checkOut: plusDays(today, 1) };
    const body = { ...bodyOf(randomUUID()), ...night, listingId: home.listingId };
    const first = await send(body);
    assert.equal(first.status, 201, first.text);
    await changeHome(service, partner, home, { timeZone: 'Pacific/Kiritimati' });
    const again = await send(body);
    assert.equal(again.status, 200, again.text);
    assert.equal(again.text, first.text);
    assert.equal((await send({ ...body, quoteId: randomUUID() })).status, 400);
  });

  test('200 › also after the home was removed from the catalog', async () => {
    const { listingId } = homes[2]!;
    await changeHome(service, partner, homes[2]!, { stayRules: easyStays, ...plainPrices });
    const free = await freeNights(partner, listingId, 2, daysAhead(20));
    const body = { quoteId: randomUUID(), ...free, party: { adults: 1 } };
    const first = await send(body);
    assert.equal(first.status, 201);
    await withdrawHomes(service.database, [listingId]);
    await followed(service, partner);
    const again = await send(body);
    assert.equal(again.status, 200, again.text);
    assert.equal(again.text, first.text);
    assert.equal((await send({ ...body, quoteId: randomUUID() })).status, 404);
  });

  test('200 › fifty concurrent creates make one quote', async () => {
    const frugal = await service.partner({ quotas: { search: 60 } });
    const body = bodyOf(randomUUID());
    const replies = await Promise.all(Array.from({ length: 50 }, () => send(body, frugal)));
    const statuses = replies.map(({ status }) => status).toSorted();
    assert.deepEqual(statuses, [...Array<number>(49).fill(200), 201]);
    assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
    const last = await send(body, frugal);
    assert.match(last.headers.get('ratelimit') ?? '', /;r=(59|60);/, 'one call of quota in all');
  });

  test('409 conflict › unavailable › taken after an equal create was decided, before it was written', async () => {
    const decided = Promise.withResolvers<void>();
    const refused = Promise.withResolvers<void>();
    let reads = 0;
    changedReads =
      (real) =>
      async (...asked) => {
        reads += 1;
        const open = await real(...asked);
        if (reads > 1) return open.map(() => 0);
        decided.resolve();
        await refused.promise;
        return open;
      };
    const body = bodyOf(randomUUID());
    try {
      const first = send(body);
      await decided.promise;
      const second = await send(body);
      assert.equal(second.status, 409, second.text);
      assert.match(second.text, /"reason":"unavailable"/);
      refused.resolve();
      const { status, text } = await first;
      assert.equal(status, 201, text);
      const again = await send(body);
      assert.deepEqual([again.status, again.text], [200, text]);
    } finally {
      refused.resolve();
      changedReads = asItIs;
    }
  });

  test('201 › the same ID in two applications names two quotes', async () => {
    const other = await service.partner();
    const { body, text } = await made();
    const theirs = await send({ ...body, party: { adults: 1 } }, other);
    assert.equal(theirs.status, 201, theirs.text);
    assert.equal((await send(body)).text, text);
  });

  const others: [what: string, change: (body: Body) => object][] = [
    ['listingId', () => ({ listingId: homes[3]!.listingId })],
    ['checkIn', ({ checkIn }) => ({ checkIn: plusDays(checkIn, 1) })],
    ['checkOut', ({ checkOut }) => ({ checkOut: plusDays(checkOut, -1) })],
    ['adults', () => ({ party: { adults: 1 } })],
    ['infants', () => ({ party: { adults: 2, infants: 1 } })],
  ];
  for (const [what, change] of others) {
    // Spec: REPEAT-3.
    test(`409 conflict › different_input › ${what}`, async () => {
      const { body, text } = await made();
      const error = await partner.refused('reservation.quote.create', {
        rawBody: JSON.stringify({ ...body, ...change(body) }),
      });
      assert.equal(error.code, 'conflict');
      assert.deepEqual(error.details, { reason: 'different_input' });
      assert.equal((await send(body)).text, text, 'nothing changed');
    });
  }
});

suite('reservation.quote.create › Idempotency-Key', () => {
  const keyed = (key: string, who = partner, change: object = {}) => {
    const { quoteId: _, ...body } = bodyOf('');
    return send({ ...body, ...change }, who, { 'idempotency-key': key });
  };

  test('201 › names the quote; a repeat gets 200; another key names another quote', async () => {
    const first = await keyed('order-17');
    assert.equal(first.status, 201);
    const { quoteId } = first.body as Quote;
    assert.match(quoteId, uuidV8);
    const again = await keyed('order-17');
    assert.equal(again.status, 200);
    assert.equal(again.text, first.text);
    assert.notEqual(((await keyed('order-18')).body as Quote).quoteId, quoteId);
    const byId = await send({ ...bodyOf(quoteId) });
    assert.equal(byId.status, 200, 'the ID in the response names it too');
  });

  test('201 › the same key in another application names another quote', async () => {
    const mine = (await keyed('shared')).body as Quote;
    const theirs = await keyed('shared', await service.partner());
    assert.equal(theirs.status, 201);
    assert.notEqual((theirs.body as Quote).quoteId, mine.quoteId);
  });

  test('201 › beside an ID in the body, the ID counts', async () => {
    const body = bodyOf(randomUUID());
    const reply = await send(body, partner, { 'idempotency-key': 'beside' });
    assert.equal((reply.body as Quote).quoteId, body.quoteId);
    assert.equal((await keyed('beside')).status, 201, 'the key was not used');
  });

  test('409 conflict › different_input under the same key', async () => {
    await keyed('reused');
    const reply = await keyed('reused', partner, { party: { adults: 1 } });
    assert.equal(reply.status, 409);
    assert.match(reply.text, /"different_input"/);
  });

  test('400 invalid_input › neither key nor ID', async () => {
    const { quoteId: _, ...body } = bodyOf('');
    const reply = await send(body);
    assert.equal(reply.status, 400);
    assert.match(reply.text, /"\/quoteId"/);
  });

  for (const [why, key] of [
    ['empty', ''],
    ['256 characters', 'k'.repeat(256)],
    ['a blank inside', 'order 17'],
    ['not ASCII', 'ordré'],
  ] as const) {
    test(`400 invalid_input › a key that is ${why}`, async () => {
      const reply = await keyed(key);
      assert.equal(reply.status, 400);
      assert.match(reply.text, /"header\/idempotency-key"/);
    });
  }

  test('201 › a key of 255 characters', async () => {
    assert.equal((await keyed('k'.repeat(255))).status, 201);
  });
});
