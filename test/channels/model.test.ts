/** Random feeds, stays and failures at one home, against a model of its nights. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { Receiver, respond } from '../harness/receiver.ts';
import { sql } from '../harness/rows.ts';
import { confirmStay, feedOf, june, openChannels, type TestChannels } from './calendars.ts';

let channels: TestChannels;
let feeds: Receiver;
let home: string;
let calendarId: string;
before(async () => {
  channels = await openChannels();
  feeds = await Receiver.start();
  home = channels.nextHome();
  calendarId = await channels.add(home, feeds.url('/model.ics'));
});
after(async () => {
  await channels.drop();
  await feeds.close();
});

const nights = fc
  .record({ first: fc.integer({ min: 1, max: 24 }), length: fc.integer({ min: 1, max: 5 }) })
  .map(({ first, length }) => ({ first, end: first + length }));
type Nights = { first: number; end: number };

const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ feed: fc.array(nights, { maxLength: 5 }) }) },
    { weight: 3, arbitrary: fc.record({ stay: nights }) },
    { weight: 2, arbitrary: fc.record({ cancelled: fc.nat(5) }) },
    {
      weight: 1,
      arbitrary: fc.record({ broken: fc.constantFrom('', 'BEGIN:VCALENDAR\r\nX', '<html>') }),
    },
  ),
  { minLength: 3, maxLength: 12 },
);

const daysOf = ({ first, end }: Nights): number[] =>
  Array.from({ length: end - first }, (_, at) => first + at);

/** The days that are taken by a kind, as the database has them. */
async function storedDays(isStay: boolean): Promise<number[]> {
  const rows = await sql<{ day: number }>(
    channels.database,
    `SELECT extract(day FROM night)::integer AS day
      FROM occupancies, generate_series(lower(nights), upper(nights) - 1, '1 day') AS night
      WHERE listing_id = $1 AND (kind = 'confirmed') = $2 ORDER BY night`,
    [home, isStay],
  );
  return rows.map(({ day }) => day);
}

async function conflictDays(): Promise<number[]> {
  const listed = await channels.conflicts(home);
  return listed.flatMap((text) => {
    const [first = 0, end = 0] = text.split(' ')[0]!.split('–').map(Number);
    return daysOf({ first, end });
  });
}

const inOrder = (days: Iterable<number>): number[] => [...days].toSorted((a, b) => a - b);

test('a calendar blocks the nights that no stay has, and never removes a stay', async () => {
  let conflicts = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      await sql(channels.database, 'DELETE FROM occupancies');
      await sql(channels.database, 'DELETE FROM channel_conflicts');
      let stays: Nights[] = [];
      let blocked = new Set<number>();
      let colliding: number[] = [];
      for (const step of all) {
        const stayDays = new Set(stays.flatMap(daysOf));
        if ('feed' in step) {
          const events = step.feed.map(({ first, end }, at) => {
            return { uid: `event-${at}`, from: june(first), to: june(end) };
          });
          feeds.reply = respond(200, {}, feedOf(...events));
          assert.equal((await channels.refresh(calendarId)).outcome, 'refreshed');
          const wanted = new Set(step.feed.flatMap(daysOf));
          blocked = wanted.difference(stayDays);
          colliding = inOrder(wanted.intersection(stayDays));
        } else if ('broken' in step) {
          feeds.reply = respond(200, {}, step.broken);
          assert.equal((await channels.refresh(calendarId)).outcome, 'failed');
        } else if ('stay' in step) {
          const isFree = daysOf(step.stay).every((day) => !blocked.has(day) && !stayDays.has(day));
          const { first, end } = step.stay;
          const reference = `LK-${first}-${end}`;
          const taking = confirmStay(
            channels.database,
            home,
            { from: june(first), to: june(end) },
            reference,
          );
          if (isFree) {
            await taking;
            stays.push(step.stay);
          } else await assert.rejects(taking);
        } else {
          const [gone] = stays.slice(step.cancelled);
          if (gone === undefined) continue;
          stays = stays.filter((stay) => stay !== gone);
          await sql(
            channels.database,
            `DELETE FROM occupancies WHERE listing_id = $1 AND lower(nights) = $2`,
            [home, june(gone.first)],
          );
        }
        assert.deepEqual(await storedDays(true), inOrder(stays.flatMap(daysOf)));
        assert.deepEqual(await storedDays(false), inOrder(blocked));
        assert.deepEqual(await conflictDays(), colliding);
        conflicts += colliding.length;
      }
    }),
    { numRuns: 25 },
  );
  assert.ok(conflicts > 0, 'no event collided with a stay');
});
