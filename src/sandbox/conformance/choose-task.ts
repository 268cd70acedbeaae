/** Chooses what the task of a scenario is about, by the seed of the run. */
import { createHash } from 'node:crypto';
import type { Application } from '../../access/index.ts';
import {
  type BookingContext,
  type OfferedStay,
  offerStay,
  tooManyAdults,
} from '../../bookings/index.ts';
import { type PublishedListing, withEffects } from '../../catalog/index.ts';
import { currencyDigits } from '../../contract/currency-digits.ts';
import { limits } from '../../contract/limits.ts';
import type { Effects } from '../../contract/sandbox/effects.ts';
import type { BookInput } from '../../contract/sandbox/conformance.ts';
import type { ScenarioId } from '../../contract/sandbox/scenarios.ts';
import { type DayNumber, dayNumber, todayAt } from '../../pricing/index.ts';
import { nextShortDay } from '../rules/conformance/short-day.ts';

/** A number from 0 to 2^32 that depends on nothing but these. */
const drawn = (...parts: readonly (string | number)[]): number =>
  createHash('sha256').update(parts.join(':')).digest().readUInt32BE();

const homesTried = 40;
const soonestDays = 30;
const spreadDays = 150;

/** A home and a stay that can be booked. */
export interface Chosen {
  home: PublishedListing;
  offered: OfferedStay;
}

/** What a scenario wants of its stays. */
export interface Wanted {
  count: number;
  /** What the application meets from the start on. */
  effects: Effects;
  /** Over a day of 23 hours, if some home has one; without it, over none. */
  crossesShortDay: boolean;
}

/** Currencies with another number of digits after the point have scenarios of their own: such homes come last. */
const isUnusual = ({ listing: { currency } }: PublishedListing): number =>
  Number(currencyDigits(currency) !== 2);

const isOver = ({ checkIn, checkOut }: OfferedStay, day: DayNumber | null): boolean =>
  day !== null && dayNumber(checkIn) <= day && day < dayNumber(checkOut);

/** Chooses stays of different homes; fewer if there are not so many. */
export async function chooseStays(
  context: BookingContext,
  { catalogId, adjustPercent }: Pick<Application, 'catalogId' | 'adjustPercent'>,
  draw: readonly (string | number)[],
  wanted: Wanted,
): Promise<Chosen[]> {
  const { count, effects, crossesShortDay } = wanted;
  const now = context.now();
  const homes = context.catalog
    .of(catalogId)
    .listings.map((home) => ({ home, rank: drawn(...draw, home.listing.listingId) }))
    .toSorted((one, other) => isUnusual(one.home) - isUnusual(other.home) || one.rank - other.rank)
    .slice(0, homesTried);
  const chosen: Chosen[] = [];
  for (const { home: found, rank } of homes) {
    if (chosen.length === count) break;
    const home = withEffects(found, effects);
    const { timeZone } = home.listing;
    const shortDay = nextShortDay(now, timeZone);
    const soon = todayAt(now, timeZone) + soonestDays + (rank % spreadDays);
    const near = crossesShortDay && shortDay !== null ? shortDay - 1 : soon;
    for (const adults of [2, 1]) {
      const asked = { near, adults, adjustmentPercent: adjustPercent, now };
      const offered = await offerStay(context, home, asked);
      if (!offered || isOver(offered, shortDay) !== crossesShortDay) continue;
      chosen.push({ home, offered });
      break;
    }
  }
  // No home has such a day: any stay will do.
  if (chosen.length < count && crossesShortDay) {
    return chooseStays(context, { catalogId, adjustPercent }, draw, {
      ...wanted,
      crossesShortDay: false,
    });
  }
  return chosen;
}

/** The guest of all tasks. */
export const taskGuest = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada.lovelace@example.com',
  phone: '+351912345678',
} as const;

/** What the guest agrees to, as a share of the first price. */
const agreed = 1.5;

/** The input of a task that books. */
export function bookInput(
  scenario: ScenarioId,
  attemptId: string,
  { home, offered }: Chosen,
): BookInput {
  const { listingId, checkIn, checkOut, total, currency } = offered;
  const adults =
    scenario === 'rule-refused' ? tooManyAdults(home, limits.adults.max) : offered.adults;
  const amount = scenario === 'price-too-high' ? total : Math.ceil(total * agreed);
  return {
    listingId,
    checkIn,
    checkOut,
    party: { adults: adults ?? limits.adults.max },
    guest: { ...taskGuest },
    partnerReference: `LKC-${attemptId}`,
    maxTotal: { amount, currency },
  };
}
