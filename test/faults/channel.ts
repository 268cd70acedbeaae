/** Another channel that sells a home, too: its calendar changes, and sometimes fails, while everything runs. */
import type { Database } from '../../src/platform/postgres/database.ts';
import { feedOf } from '../channels/calendars.ts';
import { eventually } from '../harness/eventually.ts';
import { Receiver, respond, silence, type Reply } from '../harness/receiver.ts';
import { sql } from '../harness/rows.ts';
import { actor } from '../harness/staff.ts';
import type { History, Nights, Sold } from './history.ts';
import type { OwnHomes } from './own-homes.ts';
import type { Chance } from '../harness/chance.ts';
import { addCalendar } from '../harness/acts.ts';

/** How its server answers; mostly as it should. */
const replies: readonly ((calendar: string) => Reply)[] = [
  ...Array.from({ length: 6 }, () => (calendar: string) => respond(200, {}, calendar)),
  () => respond(500),
  () => silence,
  (calendar) => respond(200, {}, calendar.slice(0, -20)),
];

const eventsAtMost = 3;
const readWithinMs = 20_000;

/** A channel with one home. */
export class Channel {
  readonly #feeds: Receiver;
  readonly #database: Database;
  readonly #own: OwnHomes;
  readonly calendarId: string;
  readonly #listingId: string;
  #sold: Sold['nights'] = [];

  private constructor(
    feeds: Receiver,
    database: Database,
    own: OwnHomes,
    [calendarId, listingId]: [string, string],
  ) {
    this.#feeds = feeds;
    this.#database = database;
    this.#own = own;
    this.calendarId = calendarId;
    this.#listingId = listingId;
  }

  /** Adds the calendar of a new channel to one of the homes. */
  static async open(database: Database, own: OwnHomes): Promise<Channel> {
    const feeds = await Receiver.start(respond(200, {}, feedOf()));
    const { slug, listingId } = own.homes.at(-1)!;
    const rules = { loopbackAllowed: true };
    const wanted = { listing: slug, url: feeds.url('/calendar.ics') };
    const { calendarId } = await addCalendar(database, actor, wanted, rules);
    return new Channel(feeds, database, own, [calendarId, listingId]);
  }

  /**
   * Sells other nights, some of them as it has copied them from reservations of ours, and those that the outside
   * system sells on it. Those that it sold before are free there.
   */
  async sellOthers(
    { stays, outside }: Pick<History, 'stays' | 'outside'>,
    chance: Chance,
  ): Promise<void> {
    const isHere = (one: Nights | null) => one?.listingId === this.#listingId;
    const copied = stays.filter(isHere).slice(-2);
    const repeated = [...outside.values()].filter((one) => one !== null).filter(isHere);
    const others = Array.from({ length: chance.below(eventsAtMost + 1) }, () =>
      this.#own.nights(chance),
    );
    this.#sold = [
      ...others,
      ...(chance.happens(0.3) ? copied : []),
      ...(chance.happens(0.5) ? repeated : []),
    ];
    this.#feeds.reply = chance.pick(replies)(this.#calendar());
    await this.#becomeDue();
  }

  #calendar(): string {
    const events = this.#sold.map(({ checkIn, checkOut }, at) => {
      return { uid: `event-${at}`, from: checkIn, to: checkOut };
    });
    return feedOf(...events);
  }

  async #becomeDue(): Promise<void> {
    const text = 'UPDATE channel_calendars SET due_at = now() WHERE calendar_id = $1';
    await sql(this.#database, text, [this.calendarId]);
  }

  /** Waits until a worker has read it. A reading that began earlier does not count. */
  async #read(): Promise<void> {
    const id = [this.calendarId];
    const text = `UPDATE channel_calendars SET due_at = now(), fence = fence + 1, refreshed_at = NULL
      WHERE calendar_id = $1`;
    await sql(this.#database, text, id);
    const isRead =
      'SELECT FROM channel_calendars WHERE calendar_id = $1 AND refreshed_at IS NOT NULL';
    await eventually(async () => (await sql(this.#database, isRead, id)).length > 0, readWithinMs);
  }

  async #passADay(): Promise<void> {
    const id = [this.calendarId];
    const events = `UPDATE channel_events SET missing_since = missing_since - interval '1 day'
      WHERE calendar_id = $1`;
    const calendar = `UPDATE channel_calendars SET shrunk_since = shrunk_since - interval '1 day'
      WHERE calendar_id = $1`;
    for (const text of [events, calendar]) await sql(this.#database, text, id);
  }

  /** What it sells, after a worker has read it. Everything must run. */
  async readLater(): Promise<Sold> {
    this.#feeds.reply = respond(200, {}, this.#calendar());
    await this.#read();
    // What it does not sell any more becomes free slowly.
    await this.#passADay();
    await this.#read();
    await this.#passADay();
    await this.#read();
    // By the time it is read again, every process knows what has changed.
    await this.#read();
    return { calendarId: this.calendarId, listingId: this.#listingId, nights: this.#sold };
  }

  close(): Promise<void> {
    return this.#feeds.close();
  }
}
