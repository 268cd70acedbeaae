/** Payment links: what they ask for, and when they are looked at or ended. */
import type { EpochMs } from '../../contract/time.ts';
import { dayNumber, todayAt } from '../../pricing/index.ts';
import { allocate, isLive, type AccountPayment } from './allocation.ts';
import type { CollectionAct, CollectionFacts } from './collection-facts.ts';

/** A payment link that may still be paid. */
export const openLink = (payments: readonly AccountPayment[]): AccountPayment | undefined =>
  payments.find((one) => one.purpose === 'link' && isLive(one) && one.state !== 'captured');

const toCollect = ({ isCancelled, balances: { open, owed } }: CollectionFacts): number =>
  isCancelled ? 0 : Math.max(0, open + owed);

/** What the rule of links has decided. */
interface DecidedLink {
  act: CollectionAct | null;
  /** When the provider is asked again; null: there is no open link. */
  again: EpochMs | null;
}

/**
 * Decides about the open link: it ends when it asks for more than is open, because something was collected another way,
 * or the price has fallen. Spec: MONEY-19.
 */
export function decideLink(facts: CollectionFacts): DecidedLink {
  const link = openLink(facts.payments);
  if (!link) return { act: null, again: null };
  const { paymentId, lookAt } = link;
  if (link.amountMinor > toCollect(facts))
    return { act: { act: 'endLink', paymentId }, again: null };
  if (lookAt === null || lookAt <= facts.now) {
    return { act: { act: 'followLink', paymentId }, again: null };
  }
  return { act: null, again: lookAt };
}

/** What a new link asks for, or why there is none. */
export type LinkDecision =
  | { amountMinor: number; refusal: null }
  | { amountMinor: number; refusal: 'cancelled' | 'nothing_open' | 'under_way' | 'too_small' };

/** Decides what a link asks for: what is due by today, or all that is open where nothing is due yet. */
export function decideNewLink(facts: CollectionFacts): LinkDecision {
  const today = todayAt(facts.now, facts.timeZone);
  const isUnderWay = ({ purpose, state }: AccountPayment): boolean =>
    purpose !== 'link' && state !== 'captured' && state !== 'refused' && state !== 'voided';
  if (facts.isCancelled) return { amountMinor: 0, refusal: 'cancelled' };
  if (facts.payments.some(isUnderWay)) return { amountMinor: 0, refusal: 'under_way' };
  // As if there were no open link: a new one is for its parts, too.
  const payments = facts.payments.filter((one) => one !== openLink(facts.payments));
  const missing = allocate({ ...facts, payments });
  const sumOf = (parts: typeof missing): number => parts.reduce((sum, one) => sum + one.missing, 0);
  const due = sumOf(missing.filter(({ dueOn }) => dayNumber(dueOn) <= today));
  const wanted = Math.min(due > 0 ? due : sumOf(missing), toCollect(facts));
  const amountMinor = wanted - (wanted % facts.limits.multipleOf);
  if (amountMinor <= 0) return { amountMinor, refusal: 'nothing_open' };
  if (amountMinor < facts.limits.minimumMinor) return { amountMinor, refusal: 'too_small' };
  return { amountMinor, refusal: null };
}

const minuteMs = 60_000;

/** How long a link can be paid: the provider takes at most 24 hours, by its own clock. */
export const linkLastsMs = 23 * 60 * minuteMs;

/** How long after its creation, or the last look, the provider is asked what has become of a link. */
export const linkLookMs = 10 * minuteMs;
