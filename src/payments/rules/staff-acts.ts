/** What staff do with the money of a reservation, as rows of the ledger. */
import type { Balances, BalancesWithOwed } from './allocation.ts';

/** What staff have seen happen outside. */
export const recordKinds = ['collected', 'refunded', 'charged_back', 'written_off'] as const;

/** What staff have seen happen outside. */
export type RecordKind = (typeof recordKinds)[number];

/** An act of staff that enters rows into the ledger. */
export type MoneyAct = RecordKind | 'refund' | 'reduce';

/** A row of the ledger before it is written: an amount from one account to another. */
export interface NewEntry {
  kind: string;
  debit: string;
  credit: string;
  amountMinor: number;
}

/** The money of a reservation when staff decide: its balances, and the refunds without an outcome. */
export interface MoneyFacts extends BalancesWithOwed {
  /** Of what staff have decided to give back. */
  begunOwed: number;
  /** Of what is too much. */
  begunSurplus: number;
}

const toCollect = ({ open, owed }: MoneyFacts): number => Math.max(0, open + owed);

const kept = ({ collected, refunded, begunOwed, begunSurplus }: MoneyFacts): number =>
  Math.max(0, collected - refunded - begunOwed - begunSurplus);

// What is owed already and not begun, and what is too much and not begun, goes back by itself.
const owedLeft = ({ owed, begunOwed }: MoneyFacts): number => Math.max(0, owed - begunOwed);
const surplusLeft = ({ open, owed, begunSurplus }: MoneyFacts): number =>
  Math.max(0, -(open + owed) - begunSurplus);

/** The most that each act may move, in minor units. */
const most: Readonly<Record<MoneyAct, (facts: MoneyFacts) => number>> = {
  collected: toCollect,
  written_off: toCollect,
  reduce: toCollect,
  refunded: kept,
  charged_back: kept,
  refund: (facts) =>
    Math.max(0, Math.min(facts.due, kept(facts) - owedLeft(facts) - surplusLeft(facts))),
};

/** The most that an act may move, in minor units. */
export const mostOf = (act: MoneyAct, facts: MoneyFacts): number => most[act](facts);

/** Money that went back: it covers what was owed, then what was too much; the rest is taken off the price. */
const goneBack =
  (kind: string) =>
  (facts: MoneyFacts, amountMinor: number): NewEntry[] => {
    const ofOwed = Math.min(amountMinor, owedLeft(facts));
    const ofSurplus = Math.min(amountMinor - ofOwed, surplusLeft(facts));
    const rest = amountMinor - ofOwed - ofSurplus;
    return [
      { kind, debit: 'owed', credit: 'refunded', amountMinor: ofOwed },
      { kind, debit: 'open', credit: 'refunded', amountMinor: ofSurplus + rest },
      { kind: 'uncovered', debit: 'due', credit: 'open', amountMinor: rest },
    ];
  };

const entries: Readonly<Record<MoneyAct, (facts: MoneyFacts, amountMinor: number) => NewEntry[]>> =
  {
    collected: (_facts, amountMinor) => [
      { kind: 'collected_elsewhere', debit: 'collected', credit: 'open', amountMinor },
    ],
    written_off: (_facts, amountMinor) => [
      { kind: 'written_off', debit: 'due', credit: 'open', amountMinor },
    ],
    reduce: (_facts, amountMinor) => [
      { kind: 'reduced', debit: 'due', credit: 'open', amountMinor },
    ],
    refund: (_facts, amountMinor) => [
      { kind: 'given_back', debit: 'due', credit: 'owed', amountMinor },
    ],
    refunded: goneBack('refunded_elsewhere'),
    charged_back: goneBack('charged_back'),
  };

/** The rows of the ledger of an act. None of them opens anything to collect. Spec: MONEY-4. */
export const entriesOf = (act: MoneyAct, facts: MoneyFacts, amountMinor: number): NewEntry[] =>
  entries[act](facts, amountMinor).filter((entry) => entry.amountMinor > 0);

const isOpen = (account: string): boolean => account === 'open' || account === 'owed';

/** The balances after some rows. */
export const balancesAfter = (
  { due, collected, open, refunded }: Balances,
  rows: readonly NewEntry[],
): Balances => {
  const moved = (isCounted: (account: string) => boolean): number =>
    rows.reduce(
      (sum, { debit, credit, amountMinor }) =>
        sum + (isCounted(debit) ? amountMinor : 0) - (isCounted(credit) ? amountMinor : 0),
      0,
    );
  return {
    due: due - moved((account) => account === 'due'),
    collected: collected + moved((account) => account === 'collected'),
    open: open + moved(isOpen),
    refunded: refunded - moved((account) => account === 'refunded'),
  };
};
