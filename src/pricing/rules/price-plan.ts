/** Fees and taxes of a listing, prepared once: what each is a percentage of, and whether its conditions are simple. */

import type { Fee, Millionths, PricedListing, Tax, When } from './listing.ts';
import { millionths, type Step, stepOf } from './money.ts';
import { insideOf } from './rates.ts';

/** How the amount of a line is found. */
export type LineForm = 'amount' | 'percent' | 'share' | 'tiers';

/** A range of ages, both ends included. */
interface Ages {
  from: number;
  to: number;
}

/** Which nights of a stay a line counts. */
interface CountedNights {
  /** Null: all. */
  isInside: ((date: number) => boolean) | null;
  fromNight: number;
  toNight: number;
}

/** A fee or tax. */
export interface PlannedLine {
  rule: Fee | Tax;
  kind: 'cleaning' | 'fee' | 'tax';
  form: LineForm;
  /** The lines that a percentage is of, each once: 0 is accommodation, 1 the first fee. */
  on: readonly number[];
  points: Millionths;
  when: When | null;
  staysUpToNights: number;
  /** Null: all nights of the stay. */
  nights: CountedNights | null;
  /** Null: adults and children. */
  ages: Ages | null;
  isIncluded: boolean;
  isNet: boolean;
  atProperty: boolean;
  /** What an amount is for, besides nights. */
  unit: 'guest' | 'pet' | null;
  isPerNight: boolean;
  /** No condition, no ages, whole nights, and a percentage of whole lines: the case of nearly all lines. */
  isPlain: boolean;
}

/** The fees and taxes of a listing in their order. Line 1 is the first of them. */
export interface PricePlan {
  step: Step;
  lines: readonly PlannedLine[];
  /** The lines whose percentage is contained in each line; by line, from accommodation on. */
  containedIn: readonly (readonly number[])[];
  hasIncluded: boolean;
  /** Whether a line depends on the price of each night, and not only on their sum. */
  needsNights: boolean;
}

const noLimit = Infinity;
const adultAge = 18;
const oldest = 150;

function agesOf(rule: Fee | Tax): Ages | null {
  if ('adultsOnly' in rule && rule.adultsOnly) return { from: adultAge, to: oldest };
  if (!rule.who) return null;
  const { from = 0, to = oldest } = rule.who.ages;
  return { from, to };
}

function nightsOfRule({
  when,
  maxNights = noLimit,
  fromNight = 1,
}: Fee | Tax): CountedNights | null {
  if (!when?.nights && maxNights === noLimit && fromNight === 1) return null;
  return {
    isInside: when?.nights ? insideOf(when.nights) : null,
    fromNight,
    toNight: maxNights,
  };
}

function formOf(rule: Fee | Tax): LineForm {
  if ('tiers' in rule && rule.tiers) return 'tiers';
  if (rule.percent === undefined) return 'amount';
  return rule.per === undefined ? 'percent' : 'share';
}

function unitOf(per: (Fee | Tax)['per']): PlannedLine['unit'] {
  if (per === 'guest' || per === 'guest_night') return 'guest';
  return per === 'pet' || per === 'pet_night' ? 'pet' : null;
}

type NamedLine = Pick<PlannedLine, 'kind' | 'rule'>;

const isTaxed = ({ rule }: NamedLine): boolean => !('taxed' in rule) || rule.taxed !== false;

const groups: Readonly<Record<string, (line: NamedLine) => boolean>> = {
  cleaning: (line) => line.kind === 'cleaning' && isTaxed(line),
  fees: (line) => line.kind === 'fee' && isTaxed(line),
};

/** The lines before a line that `on` names, each once. Spec: TAX-2. */
function namedLines(on: readonly string[], before: readonly NamedLine[]): number[] {
  const found = new Set<number>();
  for (const name of on) {
    if (name === 'accommodation') {
      found.add(0);
      continue;
    }
    const isNamed = groups[name] ?? ((line: NamedLine) => line.rule.id === name);
    before.forEach((line, at) => isNamed(line) && found.add(at + 1));
  }
  return [...found].toSorted((a, b) => a - b);
}

function plannedLine(
  kind: PlannedLine['kind'],
  rule: Fee | Tax,
  before: readonly NamedLine[],
): PlannedLine {
  const form = formOf(rule);
  const line = {
    rule,
    kind,
    form,
    on: namedLines(rule.on ?? [], before),
    points: millionths(rule.percent ?? 0),
    when: rule.when ?? null,
    staysUpToNights: ('staysUpToNights' in rule && rule.staysUpToNights) || noLimit,
    nights: nightsOfRule(rule),
    ages: agesOf(rule),
    isIncluded: 'included' in rule && rule.included === true,
    isNet: rule.net === true,
    atProperty: rule.payAt === 'property',
    unit: unitOf(rule.per),
    isPerNight: rule.per?.endsWith('night') ?? false,
  };
  const isPlain =
    (form === 'amount' || form === 'percent') &&
    line.when === null &&
    line.nights === null &&
    line.ages === null &&
    !line.isIncluded &&
    !line.isNet;
  return { ...line, isPlain };
}

function planOf({ currency, fees, taxes }: Planned): PricePlan {
  const lines: PlannedLine[] = [];
  for (const fee of fees) lines.push(plannedLine(fee.kind, fee, lines));
  for (const tax of taxes) lines.push(plannedLine('tax', tax, lines));
  const containedIn = Array.from({ length: lines.length + 1 }, (_, at) =>
    lines.flatMap((line, by) => (line.isIncluded && line.on.includes(at) ? [by] : [])),
  );
  return {
    step: stepOf(currency),
    lines,
    containedIn,
    hasIncluded: lines.some(({ isIncluded }) => isIncluded),
    needsNights: lines.some(({ isPlain, form }) => !isPlain && form !== 'amount'),
  };
}

type Planned = Pick<PricedListing, 'currency' | 'fees' | 'taxes'>;

const knownPlans = new WeakMap<Planned, PricePlan>();

/** The plan of a listing, made at its first use. */
export function pricePlan(listing: Planned): PricePlan {
  const known = knownPlans.get(listing);
  if (known) return known;
  const made = planOf(listing);
  knownPlans.set(listing, made);
  return made;
}
