/**
 * Homes that are also sold on two other channels, in simulated time and without sockets: how often both sides sell the
 * same night, with and without the read before confirm. What decides is the product's own: when a calendar is read by
 * itself, when it is read for a booking, and how long a booking waits.
 */
import { mustBeRead } from '../../../src/channels/rules/before-confirm.ts';
import { nextReadInSeconds } from '../../../src/channels/rules/schedule.ts';
import { createRandom, type Random } from '../../../src/simulation/generate/random.ts';
import { exponential, Outages } from './outages.ts';

/** What is simulated. Times are in seconds. */
export interface Settings {
  seed: number;
  /** Bookings of nights that are free as far as we know. */
  attempts: number;
  homes: number;
  /** Whether calendars are read before a booking is confirmed. */
  readsBeforeConfirm: boolean;
  /** The mean time after which a channel writes a sale into its calendar. 0: at once. */
  writtenAfter: number;
}

/** Why a double sale of ours was not prevented. */
type Why = 'not_written' | 'not_read' | 'within_a_minute' | 'failed' | 'late';

/** What happened. */
export interface Figures {
  attempts: number;
  confirmed: number;
  /** Ended `sold_out` by a read before confirm. */
  refused: number;
  /** Confirmed here although a channel had sold a night before: by why it was not known. */
  doubleSales: Record<Why, number>;
  /** Sold by a channel after us, before it has read our calendar. Nothing here can prevent it. */
  soldThereAfterUs: number;
}

/** The number of all double sales that we made. */
export const allDoubleSales = ({ doubleSales }: Figures): number =>
  Object.values(doubleSales).reduce((sum, count) => sum + count, 0);

const day = 86_400;
const everySeconds = 1_800;
/** How often somebody wants to book a home, a day. */
const rates = { us: 0.15, channel: 0.1 };
const horizonDays = 120;
const longestStay = 7;
/** Half of them want two or three nights of one of the next twelve weekends. */
const weekendShare = 0.5;
const weekends = 12;
/** Of the time until a channel has read our calendar again. */
const importEverySeconds = [2 * 3_600, 4 * 3_600];
/** Servers of channels are down for an hour every ten days, and one answer of a hundred is late. */
const outages = { meanUp: 10 * day, meanDown: 3_600 };
const lateShare = 0.01;
const answerSeconds = 0.3;
const candidates = 10;

interface Stay {
  from: number;
  to: number;
  at: number;
}

interface Sale extends Stay {
  writtenAt: number;
}

const overlaps = (one: Pick<Stay, 'from' | 'to'>, other: Pick<Stay, 'from' | 'to'>): boolean =>
  one.from < other.to && other.from < one.to;

/** A channel that sells one home, and what we know of it. */
class ChannelOfHome {
  readonly server: Outages;
  readonly importEvery: number;
  readonly importPhase: number;
  sales: Sale[] = [];
  wholeAt: number | null = null;
  failedAt: number | null = null;
  lateAt: number | null = null;
  #failures = 0;
  #nextReadAt: number;

  constructor(server: Outages, importEvery: number, random: Random) {
    this.server = server;
    this.importEvery = importEvery;
    this.importPhase = random.next() * importEvery;
    this.#nextReadAt = random.next() * everySeconds;
  }

  /** The reads by themselves up to a time. */
  readUntil(at: number, random: Random): void {
    while (this.#nextReadAt <= at) {
      this.read(this.#nextReadAt);
      this.#nextReadAt += nextReadInSeconds(everySeconds, this.#failures, null, random.next());
    }
  }

  read(at: number): void {
    if (this.server.isDown(at)) {
      this.failedAt = at;
      this.#failures += 1;
    } else {
      this.wholeAt = at;
      this.failedAt = null;
      this.#failures = 0;
    }
  }

  /** The read before confirm: whether a booking has waited for a whole read. */
  readForBooking(at: number, random: Random): void {
    const ageOf = (then: number | null): number | null => (then === null ? null : at - then);
    const { wholeAt, failedAt, lateAt } = this;
    const ages = { whole: ageOf(wholeAt), failed: ageOf(failedAt), late: ageOf(lateAt) };
    if (!mustBeRead(ages)) return;
    if (this.server.isDown(at)) this.failedAt = at;
    else if (random.chance(lateShare)) this.lateAt = at;
    else this.read(at + exponential(random, answerSeconds));
  }

  /** Whether our last whole read has a sale of these nights. */
  isKnownSold(nights: Pick<Stay, 'from' | 'to'>): boolean {
    const { wholeAt } = this;
    return this.sales.some(
      (sale) => wholeAt !== null && sale.writtenAt <= wholeAt && overlaps(sale, nights),
    );
  }

  /** When it has read our calendar last. */
  importedAt(at: number): number {
    const { importEvery, importPhase } = this;
    return Math.floor((at - importPhase) / importEvery) * importEvery + importPhase;
  }
}

function nightsFrom(random: Random, at: number): Pick<Stay, 'from' | 'to'> {
  const today = Math.floor(at / day);
  if (random.chance(weekendShare)) {
    const friday = (Math.floor(today / 7) + random.integer(1, weekends)) * 7;
    return { from: friday, to: friday + random.integer(2, 3) };
  }
  const from = today + random.integer(1, horizonDays);
  return { from, to: from + random.integer(1, longestStay) };
}

/** Nights that this side believes to be free. Undefined: none were found. */
function freeNights(
  random: Random,
  at: number,
  isFree: (nights: Pick<Stay, 'from' | 'to'>) => boolean,
) {
  for (let tries = 0; tries < candidates; tries += 1) {
    const nights = nightsFrom(random, at);
    if (isFree(nights)) return nights;
  }
  return undefined;
}

/** Why we did not know of a sale. */
function whyUnknown(channel: ChannelOfHome, sale: Sale, at: number, reads: boolean): Why {
  if (sale.writtenAt > at) return 'not_written';
  if (!reads) return 'not_read';
  if (channel.lateAt !== null && at - channel.lateAt < 60) return 'late';
  if (channel.failedAt !== null && at - channel.failedAt < 60) return 'failed';
  return 'within_a_minute';
}

/** Plays one home until it has had its attempts. */
function playHome(
  settings: Settings,
  home: number,
  servers: readonly Outages[],
  figures: Figures,
): void {
  const { seed, readsBeforeConfirm: reads, writtenAfter } = settings;
  const random = createRandom(seed, 1, home);
  const channels = servers.map(
    (server, at) => new ChannelOfHome(server, importEverySeconds[at]!, random),
  );
  let stays: Stay[] = [];
  const rate = (rates.us + rates.channel * channels.length) / day;
  const wanted = Math.ceil(settings.attempts / settings.homes);
  let at = 0;
  let attempts = 0;

  function attempt(): void {
    const nights = freeNights(
      random,
      at,
      (one) =>
        !stays.some((stay) => overlaps(stay, one)) &&
        !channels.some((channel) => channel.isKnownSold(one)),
    );
    if (!nights) return;
    attempts += 1;
    figures.attempts += 1;
    if (reads) {
      for (const channel of channels) channel.readForBooking(at, random);
      if (channels.some((channel) => channel.isKnownSold(nights))) {
        figures.refused += 1;
        return;
      }
    }
    stays.push({ ...nights, at });
    figures.confirmed += 1;
    for (const channel of channels) {
      const sold = channel.sales.find((sale) => overlaps(sale, nights));
      if (!sold) continue;
      figures.doubleSales[whyUnknown(channel, sold, at, reads)] += 1;
      return;
    }
  }

  function sell(channel: ChannelOfHome): void {
    const imported = channel.importedAt(at);
    const nights = freeNights(
      random,
      at,
      (one) =>
        !channel.sales.some((sale) => overlaps(sale, one)) &&
        !stays.some((stay) => stay.at <= imported && overlaps(stay, one)),
    );
    if (!nights) return;
    if (stays.some((stay) => overlaps(stay, nights))) figures.soldThereAfterUs += 1;
    const writtenAt = writtenAfter === 0 ? at : at + exponential(random, writtenAfter);
    channel.sales.push({ ...nights, at, writtenAt });
  }

  while (attempts < wanted) {
    at += exponential(random, 1 / rate);
    const today = Math.floor(at / day);
    stays = stays.filter(({ to }) => to > today);
    for (const channel of channels) {
      channel.sales = channel.sales.filter(({ to }) => to > today);
      channel.readUntil(at, random);
    }
    const who = random.next() * (rates.us + rates.channel * channels.length);
    if (who < rates.us) attempt();
    else
      sell(channels[Math.min(channels.length - 1, Math.floor((who - rates.us) / rates.channel))]!);
  }
}

/** Plays all homes. The same settings give the same figures. */
export function simulate(settings: Settings): Figures {
  const servers = importEverySeconds.map(
    (_, at) => new Outages(createRandom(settings.seed, 2, at), outages.meanUp, outages.meanDown),
  );
  const figures: Figures = {
    attempts: 0,
    confirmed: 0,
    refused: 0,
    doubleSales: { not_written: 0, not_read: 0, within_a_minute: 0, failed: 0, late: 0 },
    soldThereAfterUs: 0,
  };
  for (let home = 0; home < settings.homes; home += 1) playHome(settings, home, servers, figures);
  return figures;
}
