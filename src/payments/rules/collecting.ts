import type { EpochMs } from '../../contract/time.ts';
import { dayNumber } from '../../pricing/index.ts';
import { allocate, freeDay, isLive, type AccountPayment } from './allocation.ts';
import type { IntentPurpose } from './intent.ts';
import { openLink } from './payment-link.ts';
import { endsCard, type Refusal, triedAgainAt } from './refusal.ts';
import type { MoneyWait, CollectionAct, CollectionFacts } from './collection-facts.ts';

/** A part of the money that is due: an instalment, or what a later change has added to a day that was charged. */
interface Part {
  purpose: IntentPurpose;
  dueOn: string;
  amountMinor: number;
  /** Those that bind, oldest first. */
  refusals: Refusal[];
}

/** What the rule of collecting has decided. */
interface Collecting {
  act: CollectionAct | null;
  /** When a refused part is tried again; null: none is. */
  again: EpochMs | null;
  /** The next day on which something falls due; null: none. */
  nextDueOn: string | null;
  waits: MoneyWait[];
  resolved: string[];
}

const keyOf = ({ purpose, dueOn }: Pick<Part, 'purpose' | 'dueOn'>): string =>
  `${purpose} ${dueOn}`;

/** The parts that were refused and not paid since, with the amount that was last asked for. */
function refusedParts(payments: readonly AccountPayment[]): Map<string, Part> {
  const paid = new Set(payments.filter(isLive).map(keyOf));
  const parts = new Map<string, Part>();
  for (const { purpose, dueOn, amountMinor, refusal } of payments) {
    const key = keyOf({ purpose, dueOn });
    if (refusal === null || purpose === 'booking' || paid.has(key)) continue;
    const before = parts.get(key)?.refusals ?? [];
    parts.set(key, { purpose, dueOn, amountMinor, refusals: [...before, refusal] });
  }
  return parts;
}

/** Takes an amount from the first of these parts that have some. Returns what it has got. */
function takeFrom(parts: readonly Part[], amountMinor: number): number {
  let left = amountMinor;
  for (const part of parts) {
    const taken = Math.min(left, part.amountMinor);
    part.amountMinor -= taken;
    left -= taken;
  }
  return amountMinor - left;
}

/**
 * What was refused keeps its refusal, also when a change has moved its money to another day: it takes its amount from
 * the differences, and what found none there from the instalments that are due.
 */
function keptParts(
  orphans: readonly Part[],
  difference: Part,
  instalments: readonly Part[],
): Part[] {
  return orphans.map((orphan) => {
    const ofDifference = takeFrom([difference], orphan.amountMinor);
    const goesOn = ofDifference === 0 || orphan.purpose !== 'difference';
    const rest = goesOn ? takeFrom(instalments, orphan.amountMinor - ofDifference) : 0;
    return { ...orphan, amountMinor: ofDifference + rest };
  });
}

/** Everything that is due by today, in parts. */
function dueParts(facts: CollectionFacts, today: number) {
  const { payments } = facts;
  const scheduled = allocate(facts);
  const refused = refusedParts(payments);
  const missing = scheduled.filter((one) => one.missing > 0);
  const isDue = ({ dueOn }: { dueOn: string }): boolean => dayNumber(dueOn) <= today;
  const instalments = missing
    .filter((one) => isDue(one) && !one.isCharged)
    .map(({ dueOn, missing: amountMinor }): Part => {
      const key = keyOf({ purpose: 'instalment', dueOn });
      const refusals = refused.get(key)?.refusals ?? [];
      refused.delete(key);
      return { purpose: 'instalment', dueOn, amountMinor, refusals };
    });
  const ofChargedDays = missing.filter((one) => isDue(one) && one.isCharged);
  const difference: Part = {
    purpose: 'difference',
    dueOn: freeDay('difference', payments, today),
    amountMinor: ofChargedDays.reduce((sum, one) => sum + one.missing, 0),
    refusals: [],
  };
  const free = instalments.filter(({ refusals }) => refusals.length === 0);
  const orphans = keptParts([...refused.values()], difference, free);
  return {
    parts: [...orphans, difference, ...instalments].filter(({ amountMinor }) => amountMinor > 0),
    next: missing.find((one) => !isDue(one))?.dueOn ?? null,
    isNothingMissing: missing.length === 0,
  };
}

/** The parts that the provider can take: what is below its least amount joins another one. */
function chargeable(parts: readonly Part[], { limits }: CollectionFacts) {
  const { minimumMinor, multipleOf } = limits;
  const joined: Part[] = [];
  let left = 0;
  for (const part of parts) {
    const amount = left + part.amountMinor;
    const amountMinor = amount - (amount % multipleOf);
    const isTaken = amountMinor >= Math.max(minimumMinor, 1);
    if (isTaken) joined.push({ ...part, amountMinor });
    left = isTaken ? amount - amountMinor : amount;
  }
  const last = joined.at(-1);
  if (last) last.amountMinor += left - (left % multipleOf);
  return { joined, tooSmall: last ? 0 : left };
}

/** Why nothing may be collected now; null: it may. */
function holdOf({
  stoppedAt,
  disputedAt,
  hasCard,
  payments,
  now,
}: CollectionFacts): Omit<MoneyWait, 'part' | 'amountMinor'> | null {
  if (stoppedAt !== null) {
    return { kind: 'stopped', reason: 'stopped', code: null, since: stoppedAt };
  }
  if (disputedAt !== null) {
    return { kind: 'declined', reason: 'disputed', code: null, since: disputedAt };
  }
  if (!hasCard) return { kind: 'no_card', reason: 'no_card', code: null, since: now };
  const refusal = payments.map((one) => one.refusal).find((one) => one !== null && endsCard(one));
  if (!refusal) return null;
  return { kind: 'declined', reason: refusal.kind, code: refusal.code, since: refusal.at };
}

const refusedWait = (part: Part): MoneyWait => {
  const { kind, code } = part.refusals.at(-1)!;
  const { amountMinor, refusals } = part;
  return {
    kind: 'declined',
    part: keyOf(part),
    amountMinor,
    reason: kind,
    code,
    since: refusals[0]!.at,
  };
};

/** The refusals of which nothing is left to collect. A card that must not be used again stays so. */
function resolvedOf(
  { payments }: CollectionFacts,
  { parts, isNothingMissing }: ReturnType<typeof dueParts>,
): string[] {
  const waiting = new Set(parts.map(keyOf));
  return payments
    .filter((one) => {
      if (one.refusal === null || endsCard(one.refusal)) return false;
      if (isNothingMissing) return true;
      return one.purpose === 'difference' && !waiting.has(keyOf(one));
    })
    .map(({ paymentId }) => paymentId);
}

/**
 * Decides about what is due by today: an instalment is charged once on its day, what a later change adds is a
 * difference. A refused part waits for its own next try or for staff; the others go on. Spec: MONEY-2, MONEY-6.
 */
export function decideCollecting(facts: CollectionFacts, today: number): Collecting {
  const nothing = { act: null, again: null, nextDueOn: null, waits: [] };
  if (facts.isCancelled) {
    const resolved = resolvedOf(facts, { parts: [], next: null, isNothingMissing: true });
    return { ...nothing, resolved };
  }
  const due = dueParts(facts, today);
  // Until an open link is paid, what it is for was only refused.
  const resolved = openLink(facts.payments) ? [] : resolvedOf(facts, due);
  const hold = holdOf(facts);
  if (hold) {
    const waits = due.parts.map((part) => ({
      ...hold,
      part: keyOf(part),
      amountMinor: part.amountMinor,
    }));
    return { ...nothing, nextDueOn: due.next, waits, resolved };
  }
  const timed = due.parts.map((part) => ({ part, at: triedAgainAt(part.refusals) }));
  const ready = timed.flatMap(({ part, at }) => (at !== null && at <= facts.now ? [part] : []));
  const later = timed.flatMap(({ at }) => (at !== null && at > facts.now ? [at] : []));
  const { joined, tooSmall } = chargeable(ready, facts);
  const waits = due.parts.filter(({ refusals }) => refusals.length > 0).map(refusedWait);
  const [first] = joined;
  const isAlone = tooSmall > 0 && due.next === null && later.length === 0;
  return {
    act: first
      ? {
          act: 'collect',
          purpose: first.purpose,
          dueOn: first.dueOn,
          amountMinor: first.amountMinor,
        }
      : null,
    again: later.length === 0 ? null : Math.min(...later),
    nextDueOn: due.next,
    waits: isAlone
      ? [
          ...waits.filter(({ part }) => !ready.some((one) => keyOf(one) === part)),
          {
            kind: 'declined',
            part: 'too small',
            amountMinor: tooSmall,
            reason: 'amount',
            code: null,
            since: facts.now,
          },
        ]
      : waits,
    resolved,
  };
}
