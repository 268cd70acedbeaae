/** Gaps between things that take nights: random sessions nearly never make one and book it, so a step is directed. */
import * as fc from 'fast-check';
import {
  gapRules,
  isBookable,
  isFree,
  isGapStay,
  isSold,
  newInventory,
  ruleRefusal,
  selling,
  stayNamed,
  type HomeName,
  type Nights,
  type StayWords,
} from './homes.ts';
import type { CommandIntention, FollowIntention, Intention } from './intentions.ts';
import {
  accountNames,
  checkoutNames,
  quoteNames,
  type AccountName,
  type CheckoutName,
  type StayName,
  type World,
} from './world.ts';

const edges = ['block', 'channelSells', 'putOutside'] as const;
type Edge = (typeof edges)[number];

/** Where a gap is made, by what, and which of the stays that fill one is booked. */
export interface GapPlan {
  /** Another application that books a stay of the home, and what else is sold there, at the same moment; null: nobody. */
  rival: { by: AccountName; which: number; sells: Edge; night: number } | null;
  by: AccountName;
  home: HomeName;
  rules: (typeof gapRules)[number];
  /** The first night of what is before the gap. */
  from: number;
  /** The nights between both. */
  nights: number;
  before: Edge;
  after: Edge;
  which: number;
}

/** Gaps of a home that an application sells at first. */
export const gapPlans = (by: AccountName): fc.Arbitrary<GapPlan> =>
  fc.record({
    by: fc.constant(by),
    rival: fc.option(
      fc.record({
        by: fc.constantFrom(...accountNames.filter((name) => name !== by && name !== 'card')),
        which: fc.nat({ max: 30 }),
        sells: fc.constantFrom(...edges),
        night: fc.integer({ min: 0, max: 8 }),
      }),
    ),
    home: fc.constantFrom(
      ...newInventory().sold[selling[by].catalog].filter(
        (home) => home !== 'barn' && home !== 'attic',
      ),
    ),
    rules: fc.constantFrom(...gapRules),
    from: fc.integer({ min: 0, max: 4 }),
    nights: fc.integer({ min: 1, max: 3 }),
    before: fc.constantFrom(...edges),
    after: fc.constantFrom(...edges),
    which: fc.nat({ max: 9 }),
  });

/** The acts that put something on both sides, where the nights are free, and give the home its rules. */
export function gapActs({ inventory }: World, plan: GapPlan): Intention[] {
  const { by, home, rules, from, nights, before, after } = plan;
  if (!inventory || !isSold(inventory, by, home)) return [];
  const at = (night: number): Nights => ({ home, from: night, nights: 1 });
  const sides: [Edge, Nights][] = [
    [before, at(from)],
    [after, at(from + 1 + nights)],
  ];
  const { catalog } = selling[by];
  return [
    { does: 'sell', by, catalog, home, change: { rules } },
    ...sides
      .filter(([, side]) => isFree(inventory, side))
      .map(([does, side]): Intention => ({ does, by, ...side })),
  ];
}

const longest = 3;
const lastDay = 8;

/** The stays of a home that a rule of the model allows now. */
function staysWith(home: HomeName, isAllowed: (words: StayWords) => boolean): StayName[] {
  const stays = Array.from({ length: lastDay }, (_, from) =>
    Array.from({ length: longest }, (_none, at): StayWords => {
      return { home, from, nights: at + 1, party: 'two' };
    }),
  ).flat();
  return stays.filter(isAllowed).map(stayNamed);
}

/** The calls of one application up to the submission. */
export interface DirectedBooking {
  by: AccountName;
  stay: StayName;
  checkout: CheckoutName;
  /** Quote, checkout, guest. */
  prepares: Intention[];
  submit: CommandIntention;
  follow: FollowIntention;
}

/** The booking of one of these stays; null: there is none, or no unused name. */
function bookingOf(
  { inventory, accounts }: World,
  by: AccountName,
  home: HomeName,
  stays: readonly StayName[],
  which: number,
): DirectedBooking | null {
  if (!inventory || !isSold(inventory, by, home)) return null;
  const quote = quoteNames.find((name) => accounts[by].quotes[name] === null);
  const checkout = checkoutNames.find((name) => accounts[by].checkouts[name] === null);
  const stay = stays[which % stays.length];
  if (stay === undefined || quote === undefined || checkout === undefined) return null;
  const at = { by, checkout, session: 'own', offset: 0, inHeader: false } as const;
  const guest = { suffix: 'none', method: 'pm_any', isCareless: false } as const;
  return {
    by,
    stay,
    checkout,
    prepares: [
      { does: 'quote', by, quote, stay },
      { does: 'checkout', by, checkout, quote },
      { ...at, does: 'saveGuest', suffix: 'none' },
    ],
    submit: { ...at, does: 'submit', isWrong: false },
    follow: { does: 'follow', by, checkout, stay, ...guest },
  };
}

/** The booking of a stay that fills a gap; null: there is none. */
export function gapBooking(world: World, { by, home, which }: GapPlan): DirectedBooking | null {
  const { inventory } = world;
  if (!inventory) return null;
  const stays = staysWith(home, (words) => isGapStay(inventory, words));
  return bookingOf(world, by, home, stays, which);
}

/** The booking of any stay of the home by the rival; null: there is none. */
export function rivalBooking(world: World, { rival, home }: GapPlan): DirectedBooking | null {
  const { inventory } = world;
  if (!inventory || !rival) return null;
  const isAllowed = (words: StayWords) =>
    ruleRefusal(inventory, words) === null && isBookable(inventory, words);
  return bookingOf(world, rival.by, home, staysWith(home, isAllowed), rival.which);
}

/** What is sold elsewhere at the same moment. */
export const rivalSale = ({ by, home, rival }: GapPlan): Intention[] =>
  rival ? [{ does: rival.sells, by, home, from: rival.night, nights: 1 }] : [];
