/** Random homes with rules of every kind, and stays at them. The same number gives the same home and stay. */
import { numbers } from '../../src/simulation/seeded.ts';
import type { CatalogListing } from '../../src/contract/catalog-file.ts';
import { weekdays } from '../../src/contract/weekdays.ts';
import type { Party } from '../../src/pricing/rules/listing.ts';
import type { Promotion } from '../../src/pricing/rules/promotion.ts';
import { dateText } from '../../src/pricing/rules/calendar-date.ts';
import { unlimited } from '../harness/unlimited-promotion.ts';

/** A home, a stay at it, and when it was quoted. */
export interface RandomStay {
  listing: CatalogListing;
  stay: { checkIn: number; checkOut: number };
  party: Party;
  today: number;
  quotedOn: number;
  adjustmentPercent: number;
  promotion: Promotion | null;
}

type Rule = NonNullable<CatalogListing['taxes']>[number];
type Fee = NonNullable<CatalogListing['fees']>[number];

class Draw {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = numbers((seed * 2_654_435_761 + 12_345) >>> 0);
  }

  below(count: number): number {
    return (this.#next() * 2 ** 32) % count;
  }

  isOneIn(count: number): boolean {
    return this.below(count) === 0;
  }

  one<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }

  some<T>(most: number, make: (at: number) => T): T[] {
    return Array.from({ length: this.below(most + 1) }, (_, at) => make(at));
  }

  percent(most = 100): number {
    return this.one([
      this.below(most + 1),
      this.below(most * 100) / 100,
      this.below(most * 10_000) / 10_000,
    ]);
  }
}

const firstDay = 20_800;

/** Members that may be absent. */
const maybe = <T extends object>(isThere: boolean, make: () => T): T | object =>
  isThere ? make() : {};

const monthDay = (draw: Draw): string => dateText(firstDay + draw.below(365)).slice(5);

function period(draw: Draw): { from: string; to: string } {
  if (draw.isOneIn(2)) return { from: monthDay(draw), to: monthDay(draw) };
  const from = firstDay + draw.below(400);
  return { from: dateText(from), to: dateText(from + draw.below(60)) };
}

const range = (draw: Draw, most: number): { min?: number; max?: number } => {
  const min = draw.below(most);
  return draw.one([{ min }, { max: min }, { min, max: min + draw.below(most) }]);
};

const when = (draw: Draw): Pick<Rule, 'when'> =>
  draw.isOneIn(3)
    ? {
        when: {
          ...maybe(draw.isOneIn(2), () => ({ nights: period(draw) })),
          ...maybe(draw.isOneIn(3), () => ({ stayNights: range(draw, 14) })),
          ...maybe(draw.isOneIn(3), () => ({ daysAhead: range(draw, 90) })),
        },
      }
    : {};

const nightLimits = (draw: Draw): object => ({
  ...maybe(draw.isOneIn(4), () => ({ maxNights: 1 + draw.below(10) })),
  ...maybe(draw.isOneIn(5), () => ({ fromNight: 1 + draw.below(6) })),
});

function who(draw: Draw): object {
  if (!draw.isOneIn(2)) return {};
  const from = draw.below(20);
  return {
    who: { ages: draw.one([{ from }, { to: from }, { from, to: from + draw.below(10) }, {}]) },
  };
}

const onOf = (draw: Draw, ids: readonly string[]): string[] => {
  const names = ['accommodation', 'cleaning', 'fees', ...ids];
  const chosen = names.filter(() => draw.isOneIn(2));
  return chosen.length > 0 ? chosen : ['accommodation'];
};

const forGuests = (draw: Draw, per: string): object => ({
  ...maybe(per.startsWith('guest'), () => who(draw)),
  ...maybe(per.startsWith('guest') && draw.isOneIn(4), () => ({ fromGuest: 1 + draw.below(4) })),
  ...maybe(per.endsWith('night'), () => nightLimits(draw)),
});

function fee(draw: Draw, at: number, ids: readonly string[]): Fee {
  const common = {
    id: `fee-${at}`,
    label: `Fee ${at}`,
    kind: draw.one(['cleaning', 'fee'] as const),
    ...when(draw),
    ...maybe(draw.isOneIn(4), () => ({ taxed: false })),
    ...maybe(draw.isOneIn(5), () => ({ payAt: 'property' as const })),
  };
  if (draw.isOneIn(3)) {
    const on = onOf(draw, ids);
    return {
      ...common,
      percent: draw.percent(30),
      on,
      ...maybe(draw.isOneIn(4), () => ({ net: true })),
      ...maybe(on.includes('accommodation'), () => nightLimits(draw)),
    };
  }
  const per = draw.one(['stay', 'night', 'guest', 'guest_night', 'pet', 'pet_night'] as const);
  return { ...common, per, amount: draw.below(9_000), ...forGuests(draw, per) };
}

function tax(draw: Draw, at: number, ids: readonly string[]): Rule {
  const isIncluded = draw.isOneIn(4);
  const common = {
    id: `tax-${at}`,
    label: `Tax ${at}`,
    ...when(draw),
    ...maybe(!isIncluded && draw.isOneIn(4), () => ({ payAt: 'property' as const })),
  };
  const form = isIncluded ? 'percent' : draw.one(['amount', 'percent', 'share', 'tiers'] as const);
  const net = maybe(draw.isOneIn(4), () => ({ net: true }));
  if (form === 'percent') {
    const on = onOf(draw, ids);
    return {
      ...common,
      ...net,
      on,
      percent: draw.percent(30),
      ...maybe(isIncluded, () => ({ included: true })),
      ...maybe(on.includes('accommodation'), () => nightLimits(draw)),
    };
  }
  const per = 'guest_night' as const;
  if (form === 'share') {
    return {
      ...common,
      ...net,
      per,
      on: onOf(draw, ids),
      percent: draw.percent(30),
      ...maybe(draw.isOneIn(2), () => ({ maxAmount: draw.below(2_000) })),
      ...forGuests(draw, per),
    };
  }
  if (form === 'tiers') {
    let from = -1;
    const tiers = Array.from({ length: 1 + draw.below(4) }, () => {
      from += 1 + draw.below(6_000);
      return { from, amount: draw.below(1_000) };
    });
    return { ...common, ...net, per, tiers, ...forGuests(draw, per) };
  }
  const unit = draw.one(['stay', 'night', 'guest', 'guest_night'] as const);
  return { ...common, per: unit, amount: draw.below(2_000), ...forGuests(draw, unit) };
}

function ratesOf(draw: Draw): CatalogListing['rates'] {
  const prices = () => ({ nightly: draw.below(40_000) });
  const days = () =>
    Object.fromEntries(
      weekdays.flatMap((day) => (draw.isOneIn(3) ? [[day, draw.below(40_000)]] : [])),
    );
  let next = firstDay + draw.below(20);
  return {
    ...maybe(!draw.isOneIn(12), prices),
    ...maybe(draw.isOneIn(3), () => ({ weekdays: days() })),
    seasons: draw.some(4, (at) => ({
      name: `Season ${at}`,
      ...period(draw),
      priority: at,
      ...draw.one([
        () => prices(),
        () => ({ weekdays: days() }),
        () => ({ changePercent: draw.percent(90) - 40 }),
        () => ({ minNights: 1 }),
        () => ({ ...prices(), weekdays: days() }),
      ])(),
    })),
    dates: draw.some(4, () => {
      const from = next + draw.below(40);
      next = from + 1 + draw.below(10);
      return { from: dateText(from), to: dateText(next - 1), ...maybe(!draw.isOneIn(3), prices) };
    }),
    lengthDiscounts: draw.some(3, (at) => ({
      label: `Length ${at}`,
      minNights: 2 + 5 * at,
      ...(draw.isOneIn(2) ? { percent: draw.percent() } : { amount: draw.below(20_000) }),
    })),
    discounts: draw.some(3, (at) => ({
      label: `Discount ${at}`,
      percent: draw.percent(),
      ...when(draw),
    })),
  };
}

function paymentOf(draw: Draw): NonNullable<CatalogListing['payment']> {
  if (draw.isOneIn(2)) {
    return { dueNowPercent: draw.percent(), balanceDaysBefore: draw.below(90) };
  }
  let daysBefore = 120;
  const part = () =>
    draw.one([
      { percent: draw.percent() },
      { amount: draw.below(50_000) },
      { nights: 1 + draw.below(4) },
    ]);
  const later = draw.some(3, () => {
    daysBefore -= 1 + draw.below(30);
    return { daysBefore, ...part() };
  });
  return { schedule: [part(), ...later, { daysBefore: draw.below(daysBefore) }] };
}

function cancellationOf(draw: Draw, ids: readonly string[]): Partial<CatalogListing> {
  const grace = maybe(draw.isOneIn(2), () => ({
    cancellationGrace: { hours: 1 + draw.below(72), ifDaysAhead: draw.below(40) },
  }));
  if (draw.isOneIn(3)) {
    const rules = draw.some(3, (at) => ({ daysBefore: 7 * at, refundPercent: draw.percent() }));
    return { cancellation: rules, ...grace };
  }
  const keep = () =>
    draw.one([
      { percent: draw.percent() },
      { percent: draw.percent(), of: 'accommodation' as const },
      { nights: 1 + draw.below(3) },
    ]);
  const rules: NonNullable<CatalogListing['cancellation']> = draw.some(3, (at) => ({
    until: draw.one([
      { daysBefore: 10 * at },
      { hoursBefore: 24 * at + 6, of: 'check_in' as const },
    ]),
    keep: keep(),
  }));
  if (draw.isOneIn(2)) rules.push({ keep: keep() });
  const always = ['cleaning', 'fees', 'taxes', ...ids].filter(() => draw.isOneIn(4));
  return { cancellation: rules, cancellationAlwaysRefunds: always, ...grace };
}

function partyOf(draw: Draw): Party {
  const children = draw.below(4);
  const childAges = Array.from({ length: children }, () => draw.below(18));
  return {
    adults: 1 + draw.below(5),
    children,
    infants: draw.below(3),
    pets: draw.below(3),
    ...maybe(children > 0 && draw.isOneIn(2), () => ({ childAges })),
  };
}

function promotionOf(draw: Draw): Promotion | null {
  const code = { code: 'CODE', label: 'Code', ...unlimited };
  return draw.one([
    () => null,
    () => null,
    () => ({ ...code, kind: 'percent' as const, percent: draw.percent() }),
    () => {
      const currency = draw.one(['EUR', 'USD', 'JPY', 'KWD']);
      return { ...code, kind: 'amount' as const, off: draw.below(90_000), currency };
    },
  ])();
}

/** A home and a stay of this number. */
export function randomStay(seed: number): RandomStay {
  const draw = new Draw(seed);
  const ids: string[] = [];
  const named = <T extends { id?: string }>(line: T): T => {
    ids.push(line.id!);
    return line;
  };
  const fees = draw.some(3, (at) => named(fee(draw, at, ids)));
  const taxes = draw.some(4, (at) => named(tax(draw, at, ids)));
  const quotedOn = firstDay + draw.below(300);
  const checkIn = quotedOn + draw.below(150);
  const listing = {
    slug: 'home',
    name: 'Home',
    timeZone: draw.one(['Europe/Paris', 'Pacific/Honolulu', 'Asia/Tokyo', null]),
    currency: draw.one(['EUR', 'USD', 'JPY', 'KWD']),
    checkInFrom: draw.one(['16:00', null]),
    rates: ratesOf(draw),
    fees,
    taxes,
    payment: paymentOf(draw),
    ...cancellationOf(draw, ids),
  };
  return {
    listing,
    stay: { checkIn, checkOut: checkIn + 1 + draw.below(draw.one([3, 10, 40])) },
    party: partyOf(draw),
    today: draw.isOneIn(4) ? Math.min(checkIn, quotedOn + draw.below(20)) : quotedOn,
    quotedOn,
    adjustmentPercent: draw.one([0, 0, 8.25, -20]),
    promotion: promotionOf(draw),
  };
}
