import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { feed, requestStay, wholeFeed, type Event } from '../../harness/events.ts';
import { guest, type Partner } from '../../harness/partner.ts';
import { startTestService, type TestService } from '../../harness/service.ts';

const bookingsEach = 20;
const suffixes = [undefined, 'failed', undefined, 'quote_expired'];

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

type Stay = Awaited<ReturnType<Partner['freeStay']>>;

/** One booking, by checkout or by request, and how many events it causes. */
async function book(partner: Partner, stay: Stay, at: number): Promise<number> {
  const suffix = suffixes[at % suffixes.length];
  if (at % 2 === 0) {
    await requestStay(partner, stay, suffix);
  } else {
    const open = await partner.checkout(await partner.quote(stay));
    const saved = { expectedVersion: 1, guest: guest(suffix) };
    await partner.succeed('reservation.checkout.saveGuest', { ...open.at, body: saved });
    const terms = { termsVersion: open.quote.terms.version, termsAccepted: true as const };
    const body = { expectedVersion: 2, ...terms };
    await partner.succeed('reservation.checkout.submit', { ...open.at, body });
  }
  return suffix === undefined ? 2 : 1;
}

/** Reads the feed while it grows, in small pages of changing size, up to this number of events. */
async function follow(partner: Partner, until: () => number): Promise<Event[]> {
  const read: Event[] = [];
  const deadline = Date.now() + 30_000;
  let cursor: string | undefined;
  for (let round = 0; read.length < until(); round += 1) {
    assert.ok(Date.now() < deadline, `only ${read.length} events came`);
    const limit = 1 + (round % 7);
    const page = await feed(partner, { limit, ...(cursor !== undefined && { cursor }) });
    read.push(...page.items);
    // Even if more is committed meanwhile, a page continues exactly after the last one.
    page.items.forEach(({ sequence }, index) =>
      assert.equal(sequence, read.length - page.items.length + index + 1),
    );
    cursor = page.nextCursor;
  }
  return read;
}

suite('reservation.event.list › order', () => {
  // Spec: EVENT-4.
  test('no event is skipped or reordered while forty bookings of two applications resolve', async () => {
    const partners = [await service.partner(), await service.partner()];
    const stay = await partners[0]!.freeStay();
    const expected = [Infinity, Infinity];
    const following = partners.map((partner, who) => follow(partner, () => expected[who]!));
    await Promise.all(
      partners.map(async (partner, who) => {
        const bookings = Array.from({ length: bookingsEach }, (_, at) => book(partner, stay, at));
        const counts = await Promise.all(bookings);
        expected[who] = counts.reduce((sum, count) => sum + count, 0);
      }),
    );
    const read = await Promise.all(following);
    for (const [who, partner] of partners.entries()) {
      assert.equal(read[who]!.length, expected[who]);
      assert.deepEqual(await wholeFeed(partner), read[who], 'read again, it is the same');
    }
    const [mine, theirs] = read.map((events) => new Set(events.map(({ id }) => id)));
    assert.equal(mine!.intersection(theirs!).size, 0);
  });

  test('the two events of one confirmation are adjacent', async () => {
    const partner = await service.partner();
    const stay = await partner.freeStay();
    await Promise.all(Array.from({ length: 8 }, () => requestStay(partner, stay)));
    let events: Event[] = [];
    while (events.length < 16) events = await wholeFeed(partner);
    for (let at = 0; at < events.length; at += 2) {
      const [resolved, confirmed] = [events[at]!, events[at + 1]!];
      assert.deepEqual(
        [resolved.type, confirmed.type],
        ['checkout.resolved', 'reservation.confirmed'],
      );
      const bookingOf = ({ data }: typeof resolved) => 'checkoutId' in data && data.checkoutId;
      assert.equal(bookingOf(resolved), bookingOf(confirmed));
    }
  });
});
