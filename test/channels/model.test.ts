/** Random feeds of two channels, outside stays, stays and failures at one home, against a model of its nights. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { removeOutsideStay } from '../../src/channels/outside-stays.ts';
import { moveNights } from '../../src/inventory/index.ts';
import { dayNumber } from '../../src/pricing/index.ts';
import { respond } from '../harness/receiver.ts';
import { sql } from '../harness/rows.ts';
import { confirmStay, feedOf, june, openChannels, type TestChannels } from './calendars.ts';
import { putOutsideStay, removeCalendar } from '../harness/acts.ts';

let channels: TestChannels;
let home: string;
before(async () => {
  channels = await openChannels();
  home = channels.nextHome();
});
after(() => channels.drop());

const nights = fc
  .record({ first: fc.integer({ min: 1, max: 24 }), length: fc.integer({ min: 1, max: 5 }) })
  .map(({ first, length }) => ({ first, end: first + length }));
type Nights = { first: number; end: number };

const calendar = fc.nat(1);
const steps = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ calendar, feed: fc.array(nights, { maxLength: 5 }) }) },
    { weight: 4, arbitrary: fc.record({ stay: nights }) },
    { weight: 2, arbitrary: fc.record({ cancelled: fc.nat(5) }) },
    { weight: 2, arbitrary: fc.record({ moved: fc.nat(5), to: nights }) },
    { weight: 1, arbitrary: fc.record({ removed: calendar }) },
    { weight: 3, arbitrary: fc.record({ told: fc.nat(2), sold: nights }) },
    { weight: 1, arbitrary: fc.record({ untold: fc.nat(2) }) },
    {
      weight: 1,
      arbitrary: fc.record({
        calendar,
        broken: fc.constantFrom('', 'BEGIN:VCALENDAR\r\nX', '<html>'),
      }),
    },
  ),
  { minLength: 3, maxLength: 15 },
);

/** In every run, whatever is drawn besides. */
const collisionThatEnds = [
  { stay: { first: 3, end: 5 } },
  { calendar: 0, feed: [{ first: 3, end: 5 }] },
  { cancelled: 0 },
];

const daysOf = ({ first, end }: Nights): number[] =>
  Array.from({ length: end - first }, (_, at) => first + at);

/** A stay or calendar that can have nights. */
interface Stay {
  id: string;
  nights: Nights;
}
interface Calendar {
  id: string;
  /** The days of its events. */
  wanted: Set<number>;
}

/** A stay that another system has sold. */
interface OutsideStay extends Calendar {
  name: string;
}

/** What has each day, and what wants it. */
class Model {
  owners = new Map<number, Stay | Calendar>();
  stays: Stay[] = [];
  /** Oldest first. */
  outside: OutsideStay[] = [];
  /** Oldest first. */
  calendars: Calendar[] = [];

  /** A day that is free belongs to the oldest outside stay that wants it, or else to the oldest calendar. */
  #takeWaiting(): void {
    for (const one of [...this.outside, ...this.calendars]) {
      for (const day of one.wanted) if (!this.owners.has(day)) this.owners.set(day, one);
    }
  }

  /** Changes what has nights. */
  change(work: () => void): void {
    work();
    this.#takeWaiting();
  }

  free(owner: Stay | Calendar): void {
    for (const [day, one] of this.owners) if (one === owner) this.owners.delete(day);
  }

  take(stay: Stay): void {
    for (const day of daysOf(stay.nights)) this.owners.set(day, stay);
  }

  isFree(days: Nights, except?: Stay): boolean {
    return daysOf(days).every((day) => [undefined, except].includes(this.owners.get(day) as Stay));
  }

  /** The days with their owners, in order. */
  taken(): string[] {
    return [...this.owners].map(([day, { id }]) => `${day} ${id}`).toSorted();
  }

  /** The days that calendars want and something else has. */
  conflicts(): string[] {
    return this.calendars
      .flatMap((one) =>
        [...one.wanted]
          .filter((day) => this.owners.get(day) !== one)
          .map((day) => `${day} ${one.id}`),
      )
      .toSorted();
  }
}

/** The days of a table with what they belong to. */
async function storedDays(owner: string, from: string): Promise<string[]> {
  const rows = await sql<{ day: string }>(
    channels.database,
    `SELECT extract(day FROM night) || ' ' || ${owner} AS day
      FROM ${from}, generate_series(lower(nights), upper(nights) - 1, '1 day') AS night`,
  );
  return rows.map(({ day }) => day).toSorted();
}

test('a calendar blocks its nights that nothing else has, as soon as they are free, and never removes a stay', async () => {
  let conflicts = 0;
  let freed = 0;
  const { database } = channels;
  let added = 0;
  const add = async (): Promise<Calendar> => {
    added += 1;
    return { id: await channels.add(home, channels.feeds.url(`/${added}.ics`)), wanted: new Set() };
  };
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      await sql(database, 'DELETE FROM channel_conflicts');
      await database.transaction(async (executor) => {
        await sql(executor, 'DELETE FROM occupancies');
        await sql(executor, 'DELETE FROM channel_calendars');
        await sql(executor, 'DELETE FROM outside_stays');
      });
      const model = new Model();
      model.calendars = [await add(), await add()];
      for (const step of all) {
        const colliding = model.conflicts();
        if ('feed' in step) {
          const events = step.feed.map(({ first, end }, at) => {
            return { uid: `event-${at}`, from: june(first), to: june(end) };
          });
          channels.feeds.reply = respond(200, {}, feedOf(...events));
          const one = model.calendars[step.calendar]!;
          // Long enough for a calendar that has lost most of its events.
          assert.equal((await channels.readLater(one.id, 360)).outcome, 'refreshed');
          const wanted = new Set(step.feed.flatMap(daysOf));
          model.change(() => {
            for (const day of one.wanted.difference(wanted)) {
              if (model.owners.get(day) === one) model.owners.delete(day);
            }
            one.wanted = wanted;
            for (const day of wanted) if (!model.owners.has(day)) model.owners.set(day, one);
          });
        } else if ('broken' in step) {
          channels.feeds.reply = respond(200, {}, step.broken);
          const { id } = model.calendars[step.calendar]!;
          assert.equal((await channels.refresh(id)).outcome, 'failed');
        } else if ('stay' in step) {
          const { first, end } = step.stay;
          const taking = confirmStay(database, home, { from: june(first), to: june(end) });
          if (!model.isFree(step.stay)) await assert.rejects(taking);
          else {
            const stay = { id: await taking, nights: step.stay };
            model.stays.push(stay);
            model.take(stay);
          }
        } else if ('told' in step) {
          const name = `stay-${step.told}`;
          const { first, end } = step.sold;
          const { stay } = await putOutsideStay(
            database,
            'test',
            { source: 'pms', externalId: name },
            { listing: home, from: june(first), to: june(end), reason: null },
          );
          const known = model.outside.find((one) => one.name === name);
          const one = known ?? { name, id: stay.outsideStayId, wanted: new Set() };
          const wanted = new Set(daysOf(step.sold));
          const isMoved = one.wanted.symmetricDifference(wanted).size > 0;
          model.change(() => {
            if (!known) model.outside.push(one);
            if (!isMoved) return;
            model.free(one);
            one.wanted = wanted;
            for (const day of wanted) if (!model.owners.has(day)) model.owners.set(day, one);
          });
          const left = [...wanted].filter((day) => model.owners.get(day) !== one);
          assert.equal(
            stay.conflicts.reduce((sum, { from, to }) => sum + dayNumber(to) - dayNumber(from), 0),
            left.length,
          );
        } else if ('untold' in step) {
          const name = `stay-${step.untold}`;
          const one = model.outside.find((other) => other.name === name);
          const removed = await removeOutsideStay(database, 'test', {
            source: 'pms',
            externalId: name,
          });
          assert.equal(removed, one !== undefined);
          model.change(() => {
            model.outside = model.outside.filter((other) => other !== one);
            if (one) model.free(one);
          });
        } else if ('removed' in step) {
          const one = model.calendars[step.removed]!;
          await removeCalendar(database, 'test', one.id);
          const next = await add();
          model.change(() => {
            model.calendars = [...model.calendars.filter((other) => other !== one), next];
            model.free(one);
          });
        } else {
          const [stay] = model.stays.slice('moved' in step ? step.moved : step.cancelled);
          if (stay === undefined) continue;
          if ('cancelled' in step) {
            await sql(database, 'DELETE FROM occupancies WHERE occupancy_id = $1', [stay.id]);
            model.stays = model.stays.filter((other) => other !== stay);
            model.change(() => model.free(stay));
          } else {
            const to = {
              checkIn: dayNumber(june(step.to.first)),
              checkOut: dayNumber(june(step.to.end)),
            };
            const outcome = await database.transaction((executor) =>
              moveNights(executor, stay.id, home, to),
            );
            assert.equal(outcome, model.isFree(step.to, stay) ? 'moved' : 'taken');
            if (outcome === 'moved') {
              model.change(() => {
                model.free(stay);
                stay.nights = step.to;
                model.take(stay);
              });
            }
          }
        }
        const owner = 'coalesce(calendar_id, outside_stay_id, occupancy_id)';
        assert.deepEqual(await storedDays(owner, 'occupancies'), model.taken());
        assert.deepEqual(await storedDays('calendar_id', 'channel_conflicts'), model.conflicts());
        conflicts += model.conflicts().length;
        if (!('feed' in step)) {
          const open = new Set(model.conflicts());
          freed += colliding.filter((one) => !open.has(one)).length;
        }
      }
    }),
    { numRuns: 25, examples: [[collisionThatEnds]] },
  );
  assert.ok(conflicts > 0, 'no event collided with a stay');
  assert.ok(freed > 0, 'no conflict ended by nights that became free');
});
