/** Sales on three channels and here, reads, failures and echoes in any order: nothing is sold that a channel has. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { exportCalendar, secretFor } from '../../src/channels/own-calendar.ts';
import { respond } from '../harness/receiver.ts';
import { sql } from '../harness/rows.ts';
import { confirmStay, feedOf, june, openChannels, type TestChannels } from './calendars.ts';

let channels: TestChannels;
before(async () => {
  channels = await openChannels();
});
after(() => channels.drop());

interface Nights {
  first: number;
  end: number;
}
const nights = fc
  .record({ first: fc.integer({ min: 1, max: 18 }), length: fc.integer({ min: 1, max: 3 }) })
  .map(({ first, length }) => ({ first, end: first + length }));
const channel = fc.nat(2);
const anyStep = fc.oneof(
  { weight: 5, arbitrary: fc.record({ sale: nights, at: channel }) },
  { weight: 3, arbitrary: fc.record({ cancelled: fc.nat(3), at: channel }) },
  { weight: 3, arbitrary: fc.record({ fetchedBy: channel }) },
  { weight: 9, arbitrary: fc.record({ read: channel }) },
  {
    weight: 2,
    arbitrary: fc.record({
      read: channel,
      wrong: fc.constantFrom('damaged' as const, 'failed' as const),
    }),
  },
  { weight: 6, arbitrary: fc.record({ own: nights }) },
  { weight: 3, arbitrary: fc.record({ again: channel, nth: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ ownCancelled: fc.nat(3) }) },
  { weight: 4, arbitrary: fc.record({ minutes: fc.constantFrom(11, 60, 400) }) },
  { weight: 2, arbitrary: fc.record({ emptied: channel }) },
);
type Step = typeof anyStep extends fc.Arbitrary<infer One> ? One : never;
const steps = fc.array(anyStep, { minLength: 10, maxLength: 40 });

interface Event extends Nights {
  uid: string;
}
const overlaps = (one: Nights, other: Nights): boolean =>
  one.first < other.end && other.first < one.end;
const daysOf = (text: string): Nights => {
  const [first, end] = text.split(' ').map((date) => Number(date.slice(6)));
  return { first: first!, end: end! };
};

/** A channel, and what our whole reads of it have shown. */
class Channel {
  id = '';
  sales: Event[] = [];
  /** What it has copied from us the last time. */
  copies: Event[] = [];
  /** Everything that it has ever got from us. */
  readonly got: Nights[] = [];
  /** The sales that were shown: how many whole reads since were without it. */
  readonly shown = new Map<Event, number>();
  /** Those that may be copies: they have exactly nights that it has got. */
  readonly copied = new Set<Event>();

  /** Whether nights that it has got, one after the other, are exactly these. */
  hasGot({ first, end }: Nights): boolean {
    return this.got.some(
      (one) =>
        one.first === first &&
        (one.end === end || (one.end < end && this.hasGot({ first: one.end, end }))),
    );
  }

  /** Sales that were shown once and are not any more. */
  gone(): Event[] {
    return [...this.shown.keys()].filter((event) => !this.sales.includes(event));
  }

  showsWhole(): void {
    for (const [event, others] of this.shown) {
      if (!this.sales.includes(event)) this.shown.set(event, others + 1);
    }
    for (const sale of this.sales) {
      if (this.hasGot(sale)) this.copied.add(sale);
      this.shown.set(sale, 0);
    }
  }

  /** A sale that was shown, and that no two whole reads since were without. */
  saleOn(stay: Nights): Event | undefined {
    return [...this.shown].find(
      ([event, others]) => others < 2 && !this.copied.has(event) && overlaps(event, stay),
    )?.[0];
  }
}

/** A channel whose guests have all cancelled, read as often as it takes to free their nights; we try to sell them. */
const expanded = (one: Step): Step[] => {
  if (!('emptied' in one)) return [one];
  const { emptied: at } = one;
  const again = [0, 1, 2].map((nth) => ({ again: at, nth }));
  const cancelled = [3, 2, 1, 0].map((place) => ({ cancelled: place, at }));
  return [...cancelled, { read: at }, ...again, { minutes: 400 }, { read: at }, ...again];
};

/** Sessions that are always played. */
const examples: [Step[]][] = [
  [
    [
      { sale: { first: 1, end: 3 }, at: 0 },
      { read: 0 },
      { own: { first: 2, end: 4 } },
      { read: 0, wrong: 'damaged' },
      { read: 0, wrong: 'failed' },
      { emptied: 0 },
    ],
  ],
  [
    [
      { own: { first: 5, end: 7 } },
      { fetchedBy: 1 },
      { read: 1 },
      { ownCancelled: 0 },
      { own: { first: 5, end: 7 } },
    ],
  ],
];

/** Moves everything that is known about a home into the past. */
async function pass(home: string, minutes: number): Promise<void> {
  const earlier = (...columns: string[]) =>
    columns.map((name) => `${name} = ${name} - make_interval(mins => $2)`).join(', ');
  const ofHome = 'calendar_id IN (SELECT calendar_id FROM channel_calendars WHERE listing_id = $1)';
  for (const text of [
    `UPDATE channel_events SET ${earlier('first_seen_at', 'last_seen_at', 'missing_since')} WHERE ${ofHome}`,
    `UPDATE channel_conflicts SET ${earlier('found_at')} WHERE ${ofHome}`,
    `UPDATE channel_calendars SET ${earlier('shrunk_since', 'exported_at', 'fetched_at', 'seen_at')}
      WHERE listing_id = $1`,
    `UPDATE occupancies SET ${earlier('created_at', 'confirmed_at', 'moved_at')} WHERE listing_id = $1`,
  ]) {
    await sql(channels.database, text, [home, minutes]);
  }
}

test('no night that a whole read showed taken, and no two later whole reads showed free, is sold', async () => {
  const seen = { sold: 0, refused: 0, resold: 0, echoes: 0, damaged: 0 };
  const { database } = channels;
  const home = channels.nextHome();
  let added = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const three = [new Channel(), new Channel(), new Channel()];
      await sql(database, 'DELETE FROM channel_conflicts');
      await sql(database, 'DELETE FROM occupancies');
      await sql(database, 'DELETE FROM channel_calendars');
      for (const one of three)
        one.id = await channels.add(home, channels.feeds.url(`/${(added += 1)}.ics`));
      const { secret } = await secretFor(database, home);
      let stays: (Nights & { id: string })[] = [];
      let named = 0;
      for (const step of all.flatMap(expanded)) {
        if ('sale' in step) {
          const one = three[step.at]!;
          const taken = [...one.sales, ...one.copies].some((other) => overlaps(other, step.sale));
          if (!taken) one.sales.push({ uid: `sale-${(named += 1)}`, ...step.sale });
        } else if ('cancelled' in step) {
          const one = three[step.at]!;
          one.sales = one.sales.filter((_, at) => at !== step.cancelled);
        } else if ('fetchedBy' in step) {
          const one = three[step.fetchedBy]!;
          const exported = (await exportCalendar(database, secret, one.id))!;
          await exported.wasRead();
          const dates = (name: string) =>
            exported.content.matchAll(new RegExp(`^${name};VALUE=DATE:(\\d+)`, 'gm'));
          const ends = [...dates('DTEND')];
          const got = [...dates('DTSTART')].map(([, from], at) =>
            daysOf(`${from} ${ends[at]![1]}`),
          );
          one.got.push(...got);
          one.copies = got
            .filter((part) => !one.sales.some((sale) => overlaps(sale, part)))
            .map((part) => ({ uid: `copy-${part.first}-${part.end}`, ...part }));
        } else if ('read' in step) {
          const one = three[step.read]!;
          const events = [...one.sales, ...one.copies].map(({ uid, first, end }) => {
            return { uid, from: june(first), to: june(end) };
          });
          const content = feedOf(...events);
          const wrong = 'wrong' in step ? step.wrong : null;
          if (wrong === 'failed') channels.feeds.reply = respond(503);
          else if (wrong === 'damaged') {
            const damage = content.replace('END:VCALENDAR', 'END:VEVENT\r\nEND:VCALENDAR');
            channels.feeds.reply = respond(200, {}, damage);
          } else channels.feeds.reply = respond(200, {}, content);
          const { outcome } = await channels.refresh(one.id);
          if (wrong === null) {
            assert.equal(outcome, 'refreshed');
            one.showsWhole();
          } else if (outcome === 'damaged') seen.damaged += 1;
        } else if ('own' in step || 'again' in step) {
          const wanted = 'own' in step ? step.own : three[step.again]!.gone()[step.nth];
          if (!wanted) continue;
          const { first, end } = wanted;
          const taking = confirmStay(database, home, { from: june(first), to: june(end) });
          const id = await taking.catch(() => null);
          if (id === null) {
            seen.refused += 1;
            continue;
          }
          seen.sold += 1;
          stays.push({ id, first, end });
          for (const one of three) {
            assert.equal(one.saleOn(wanted), undefined, `channel ${three.indexOf(one)} has it`);
            if ([...one.shown.keys()].some((event) => overlaps(event, wanted))) seen.resold += 1;
          }
        } else if ('ownCancelled' in step) {
          const stay = stays[step.ownCancelled];
          if (!stay) continue;
          await sql(database, 'DELETE FROM occupancies WHERE occupancy_id = $1', [stay.id]);
          stays = stays.filter((other) => other !== stay);
        } else if ('minutes' in step) await pass(home, step.minutes);
      }
      const [row] = await sql<{ echoes: number }>(
        database,
        `SELECT count(*)::integer AS echoes FROM channel_events JOIN channel_calendars USING (calendar_id)
          WHERE listing_id = $1 AND state = 'echo'`,
        [home],
      );
      seen.echoes += row!.echoes;
    }),
    { numRuns: 40, examples },
  );
  for (const [what, count] of Object.entries(seen)) assert.ok(count > 0, `nothing ${what}`);
});
