/** A property management system that sells the homes, too: it tells each sale until that is answered, and tells it again. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../src/platform/postgres/database.ts';
import { changeOptions } from '../harness/acts.ts';
import type { Chance } from '../harness/chance.ts';
import { type Operator, operatorOf } from '../harness/operator.ts';
import { actor } from '../harness/staff.ts';
import type { Channel } from './channel.ts';
import type { History } from './history.ts';
import type { OwnHomes } from './own-homes.ts';

const sales = ['sale-1', 'sale-2', 'sale-3', 'sale-4', 'sale-5'] as const;
type Sale = (typeof sales)[number];

const pauseMs = 60;
const betweenTriesMs = 100;
const triesAtMost = 600;
// Its token has not ended: a database whose clock has jumped may say so until that is noticed.
const later: ReadonlySet<number> = new Set([401, 503]);

/** What the work of the system is written to. */
interface Notes {
  history: History;
  /** The number of acts by their end. */
  count(act: string): void;
}

/** One system, which does one thing after the other. */
export class OutsideSystem {
  readonly source: string;
  readonly #caller: Operator;
  readonly #own: OwnHomes;

  private constructor(source: string, caller: Operator, own: OwnHomes) {
    this.source = source;
    this.#caller = caller;
    this.#own = own;
  }

  /** Opens it. It sells on the channel as well, so the calendar of that repeats its sales. */
  static async open(
    at: { database: Database; origin: string },
    { own, channel, name }: { own: OwnHomes; channel: Channel; name: string },
  ): Promise<OutsideSystem> {
    const caller = await operatorOf(at, 'reservations', name);
    await changeOptions(at.database, actor, channel.calendarId, { changes: { source: name } });
    return new OutsideSystem(name, caller, own);
  }

  /** Sells, moves and takes back until it is over. */
  async work(
    { history, count }: Notes,
    chance: Chance,
    { isOver, signal }: { isOver(): boolean; signal: AbortSignal },
  ): Promise<void> {
    while (!isOver()) {
      const sale = chance.pick(sales);
      const act = chance.happens(0.25) ? 'take back' : 'tell';
      const works =
        act === 'tell' ? this.#tell(history, sale, chance) : this.#takeBack(history, sale);
      const times = chance.happens(0.3) ? 2 : 1;
      for (let time = 0; time < times; time += 1) {
        const surprise = await this.#untilAnswered(works, signal);
        if (surprise !== null) {
          if (!signal.aborted) history.surprises.push(`the outside system, ${act}: ${surprise}`);
          return;
        }
        count(`${act} outside ${time === 0 ? 'done' : 'again'}`);
      }
      await sleep(chance.below(pauseMs));
    }
  }

  #tell(history: History, sale: Sale, chance: Chance): () => Promise<number> {
    const { slug, listingId, checkIn, checkOut } = this.#own.nights(chance);
    history.outside.set(sale, { listingId, checkIn, checkOut });
    const input = {
      params: { source: this.source, externalId: sale },
      body: { listing: slug, from: checkIn, to: checkOut },
    };
    return async () => (await this.#caller.send('operator.outsideStay.put', input)).status;
  }

  #takeBack(history: History, sale: Sale): () => Promise<number> {
    history.outside.set(sale, null);
    const params = { source: this.source, externalId: sale };
    return async () => (await this.#caller.send('operator.outsideStay.remove', { params })).status;
  }

  /** Repeats a call that was not answered, or is to come later. Returns what is wrong; null: it was done. */
  async #untilAnswered(call: () => Promise<number>, signal: AbortSignal): Promise<string | null> {
    for (let tried = 0; tried < triesAtMost && !signal.aborted; tried += 1) {
      const status = await call().catch(() => null);
      if (status !== null && status < 300) return null;
      if (status !== null && !later.has(status)) return `status ${status}`;
      await sleep(betweenTriesMs, null, { signal }).catch(() => null);
    }
    return 'it was never answered';
  }
}
