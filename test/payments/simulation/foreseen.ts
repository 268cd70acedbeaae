/**
 * A model of what staff do with money: which acts must be refused, and what an act must leave. It knows the sums before
 * an act, and none of the service's code.
 */
import { sql } from '../../harness/rows.ts';
import type { Executor } from '../../../src/platform/postgres/database.ts';

/** The money of a reservation at one moment, in minor units. */
export interface Money {
  due: number;
  collected: number;
  /** What is still to be collected, less `owed`; below 0: what is still to be given back. */
  open: number;
  refunded: number;
  /** What the guest is still to get by a decision of staff. */
  owed: number;
  /** Refunds that are asked for and have no outcome: of what is owed, and of what is too much. */
  begunOwed: number;
  begunSurplus: number;
  isCancelled: boolean;
  isStopped: boolean;
}

/** An act of staff, and the `open` that they have seen; null: any. */
export interface MoneyAct {
  does:
    | 'cancel'
    | 'refund'
    | 'reduce'
    | 'collected'
    | 'refunded'
    | 'charged_back'
    | 'written_off'
    | 'stop'
    | 'start'
    | 'link';
  amount: number;
  seenOpen: number | null;
}

/** What must come of an act: a refusal, or this money; `mayRefuse`: there are reasons that the model does not know. */
export type Foreseen = 'refused' | { after: Money; mayRefuse: boolean };

type Rule = (before: Money, amount: number) => Money | 'refused';

const toCollect = ({ open, owed }: Money): number => Math.max(0, open + owed);

/** What we have of the guest's money, and have not begun to give back. */
const inHand = ({ collected, refunded, begunOwed, begunSurplus }: Money): number =>
  Math.max(0, collected - refunded - begunOwed - begunSurplus);

/** What goes back by itself and has not begun to. */
const goesBack = ({ open, owed, begunOwed, begunSurplus }: Money) => ({
  ofOwed: Math.max(0, owed - begunOwed),
  ofSurplus: Math.max(0, -(open + owed) - begunSurplus),
});

/** Less is collected: the price falls with it. */
const collectsLess: Rule = (before, amount) => {
  if (amount > toCollect(before)) return 'refused';
  return { ...before, due: before.due - amount, open: before.open - amount };
};

/** Money went back in another way. What nobody was to get lowers the price, so that it is not collected again. */
const wentBack: Rule = (before, amount) => {
  if (amount > inHand(before)) return 'refused';
  const { ofOwed, ofSurplus } = goesBack(before);
  const uncovered = Math.max(0, amount - ofOwed - ofSurplus);
  return {
    ...before,
    due: before.due - uncovered,
    open: before.open + amount - uncovered,
    refunded: before.refunded + amount,
    owed: before.owed - Math.min(amount, ofOwed),
  };
};

const rules: Readonly<Record<MoneyAct['does'], Rule>> = {
  collected(before, amount) {
    if (amount > toCollect(before)) return 'refused';
    return { ...before, collected: before.collected + amount, open: before.open - amount };
  },
  written_off: collectsLess,
  reduce: collectsLess,
  refunded: wentBack,
  charged_back: wentBack,
  refund(before, amount) {
    const { ofOwed, ofSurplus } = goesBack(before);
    if (amount > Math.min(before.due, inHand(before) - ofOwed - ofSurplus)) return 'refused';
    const { due, open, owed } = before;
    return { ...before, due: due - amount, open: open - amount, owed: owed + amount };
  },
  cancel(before, amount) {
    const { collected, refunded, owed } = before;
    const kept = Math.min(collected - refunded - owed, before.due);
    if (before.isCancelled || amount > kept) return 'refused';
    const due = kept - amount;
    return { ...before, due, open: due - collected + refunded, isCancelled: true };
  },
  stop: (before) => (before.isStopped ? 'refused' : { ...before, isStopped: true }),
  start: (before) => ({ ...before, isStopped: false }),
  link: (before) => before,
};

/** Whether a payment link may be given: one is made in several steps, so this is true at one of them. */
export const mayBeLinked = (money: Money): boolean => !money.isCancelled && toCollect(money) > 0;

/** What must come of an act of staff. */
export function foresee({ does, amount, seenOpen }: MoneyAct, before: Money): Foreseen {
  if (seenOpen !== null && seenOpen !== before.open) return 'refused';
  const after = rules[does](before, amount);
  if (after === 'refused') return 'refused';
  // Whether something was refused, and is to be started, is not in these sums; nor what the provider says of a link.
  const mayRefuse = does === 'link' || (does === 'start' && !before.isStopped);
  return { after, mayRefuse };
}

/** What a dispute that was lost, or a refund in the provider's dashboard, must leave: it takes at most what we have. */
export function foreseeTaken(before: Money, amount: number): Money {
  const taken = wentBack(before, Math.min(amount, inHand(before)));
  return taken === 'refused' ? before : taken;
}

const text = `SELECT b.due, b.collected, b.open, b.refunded, b.owed, f.begun_owed AS "begunOwed",
    f.begun_surplus AS "begunSurplus", r.state = 'cancelled' AS "isCancelled",
    a.stopped_at IS NOT NULL AS "isStopped"
  FROM payment_accounts a JOIN reservations r USING (reference)
  CROSS JOIN payment_balance(a.application_id, a.checkout_id) b
  CROSS JOIN LATERAL (SELECT
      coalesce(sum(f.amount_minor) FILTER (WHERE f.of_account = 'owed'), 0)::bigint AS begun_owed,
      coalesce(sum(f.amount_minor) FILTER (WHERE f.of_account = 'open'), 0)::bigint AS begun_surplus
    FROM payment_intents i JOIN payment_refunds f USING (payment_id)
    WHERE i.checkout_id = a.checkout_id AND f.state IN ('requested', 'unknown')) f
  WHERE a.reference = $1`;

/** Reads the money of a reservation. */
export async function readMoney(executor: Executor, reference: string): Promise<Money> {
  const [row] = await sql<Money>(executor, text, [reference]);
  return row!;
}
