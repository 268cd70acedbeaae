/**
 * Gaps between things that take nights, and stays whose preparations meet: random sessions nearly never make and book
 * them, so a step is directed.
 */
import * as fc from 'fast-check';
import {
  gapRules,
  isBookable,
  isFree,
  isGapStay,
  isSold,
  newInventory,
  preparedRules,
  ruleRefusal,
  selling,
  stayNamed,
  stayWords,
  take,
  type HomeName,
  type Inventory,
  type Nights,
  type OutsideName,
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

/** What puts something on nights; an outside stay has the first, the second or the third name. */
const edgeAct = (does: Edge, nights: Nights & { by: AccountName }, stay: OutsideName): Intention =>
  does === 'putOutside' ? { does, ...nights, stay } : { does, ...nights };

/**
 * Where a gap is made, by what, and which of the stays that fill one is booked. With rules of preparation alone no gap
 * is made, and any stay is booked: a rival prefers one whose preparation meets it.
 */
export interface GapPlan {
  /** Another application that books a stay of the home, and what else is sold there, at the same moment; null: nobody. */
  rival: { by: AccountName; which: number; sells: Edge; night: number } | null;
  by: AccountName;
  home: HomeName;
  rules: (typeof gapRules)[number] | typeof preparedRules;
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
    home: fc.constantFrom<HomeName>(
      // Both catalogs sell it.
      'loft',
      ...newInventory().sold[selling[by].catalog].filter(
        (home) => home !== 'barn' && home !== 'attic',
      ),
    ),
    rules: fc.constantFrom(...gapRules, preparedRules, preparedRules),
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
  const both: [Edge, Nights, OutsideName][] = [
    [before, at(from), 'o1'],
    [after, at(from + 1 + nights), 'o2'],
  ];
  const sides = rules === preparedRules ? [] : both;
  const { catalog } = selling[by];
  return [
    { does: 'sell', by, catalog, home, change: { rules } },
    ...sides
      .filter(([, side]) => isFree(inventory, side))
      .map(([does, side, stay]) => edgeAct(does, { by, ...side }, stay)),
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
  const guest = { code: null, suffix: 'none', method: 'pm_any', isCareless: false } as const;
  return {
    by,
    stay,
    checkout,
    prepares: [
      { does: 'quote', by, quote, stay, code: null },
      { does: 'checkout', by, checkout, quote },
      { ...at, does: 'saveGuest', suffix: 'none' },
    ],
    submit: { ...at, does: 'submit', isWrong: false },
    follow: { does: 'follow', by, checkout, stay, ...guest },
  };
}

const isAllowed = (inventory: Inventory, words: StayWords): boolean =>
  ruleRefusal(inventory, words) === null && isBookable(inventory, words);

/** The booking of a stay that fills a gap, or of any where none is made; null: there is none. */
export function directedBooking(
  world: World,
  { by, home, rules, which }: GapPlan,
): DirectedBooking | null {
  const { inventory } = world;
  if (!inventory) return null;
  const isMeant = rules === preparedRules ? isAllowed : isGapStay;
  const stays = staysWith(home, (words) => isMeant(inventory, words));
  return bookingOf(world, by, home, stays, which);
}

/** The booking of a stay by the rival, rather one that only preparation keeps apart from the other; null: there is none. */
export function rivalBooking(
  world: World,
  { rival, home }: GapPlan,
  { by, checkout, stay }: DirectedBooking,
): DirectedBooking | null {
  const { inventory } = world;
  if (!inventory || !rival) return null;
  const stays = staysWith(home, (words) => isAllowed(inventory, words));
  const then = structuredClone(inventory);
  take(then, { ...stayWords(stay), by: `${by} ${checkout}` });
  const close = stays.filter((name) => {
    const words = stayWords(name);
    return isFree(then, words) && !isBookable(then, words);
  });
  return bookingOf(world, rival.by, home, close.length > 0 ? close : stays, rival.which);
}

/** What is sold elsewhere at the same moment. */
export const rivalSale = ({ by, home, rival }: GapPlan): Intention[] =>
  rival ? [edgeAct(rival.sells, { by, home, from: rival.night, nights: 1 }, 'o3')] : [];
