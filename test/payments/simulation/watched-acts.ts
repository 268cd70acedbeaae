/** What staff do with money, watched: each transaction and each answer is compared with the model. */
import { isDeepStrictEqual } from 'node:util';
import type { StaffContext } from '../../../src/bookings/index.ts';
import { Seen } from '../../../src/api/seen.ts';
import { isRefusal } from '../../../src/contract/errors.ts';
import type { LinkContext } from '../../../src/payments/staff/payment-link.ts';
import type { Executor } from '../../../src/platform/postgres/database.ts';
import {
  cancelReservation,
  endOpenLink,
  makePaymentLink,
  recordPayment,
  reducePayment,
  RefusedAct,
  refundPayment,
  startPayment,
  stopPayment,
} from '../../harness/acts.ts';
import {
  foresee,
  mayBeLinked,
  readMoney,
  type Foreseen,
  type Money,
  type MoneyAct,
} from './foreseen.ts';

/** What a member of staff saw and did in the database. */
export class Watch {
  readonly reference: string;
  /** The money after each statement outside a transaction. */
  readonly states: Money[] = [];
  readonly transactions: { before: Money; after: Money; isRefused: boolean }[] = [];

  constructor(reference: string) {
    this.reference = reference;
  }

  async look(executor: Executor): Promise<void> {
    this.states.push(await readMoney(executor, this.reference));
  }

  async transaction<T>(executor: Executor, work: () => Promise<T>): Promise<T> {
    const before = await readMoney(executor, this.reference);
    const result = await work();
    const after = await readMoney(executor, this.reference);
    this.transactions.push({ before, after, isRefused: isRefusal(result) });
    return result;
  }
}

/** Where an act is done. */
export interface ActContext {
  /** Its database tells a watch what happens. */
  staff: StaffContext;
  links: LinkContext;
  reference: string;
  /** Whether an open link is ended before money is recorded, as the act of staff does. */
  endsLink: boolean;
}

type Doing = (context: ActContext, act: MoneyAct, dryRun: boolean) => Promise<object>;

const reason = 'The guest has called.';

const inputOf = ({ reference }: ActContext, { amount, seenOpen }: MoneyAct, dryRun: boolean) => ({
  reference,
  reason,
  amount,
  seenBalance: new Seen(seenOpen ?? undefined),
  dryRun,
});

const record: Doing = async (context, act, dryRun) => {
  const { staff, links, reference, endsLink } = context;
  // Without it, what the link has brought goes back as surplus.
  if (!dryRun && endsLink) await endOpenLink(links, reference);
  const kind = act.does as 'collected';
  const input = inputOf(context, act, dryRun);
  return recordPayment(staff.database, 'staff', { ...input, kind, method: 'transfer' });
};

const doing: Readonly<Record<MoneyAct['does'], Doing>> = {
  cancel: ({ staff, reference }, { amount, seenOpen }, dryRun) =>
    cancelReservation(staff, 'staff', {
      reference,
      reason,
      refund: amount,
      dryRun,
      ...(seenOpen !== null && { expectedBalance: seenOpen }),
    }),
  refund: (context, act, dryRun) =>
    refundPayment(context.staff.database, 'staff', inputOf(context, act, dryRun)),
  reduce: (context, act, dryRun) =>
    reducePayment(context.staff.database, 'staff', inputOf(context, act, dryRun)),
  collected: record,
  refunded: record,
  charged_back: record,
  written_off: record,
  stop: ({ staff, reference }) => stopPayment(staff.database, 'staff', { reference, reason }),
  start: ({ staff, reference }) => startPayment(staff.database, 'staff', { reference, reason }),
  link: ({ links, reference }) => makePaymentLink(links, 'staff', reference),
};

const others: ReadonlySet<MoneyAct['does']> = new Set(['stop', 'start', 'link']);

/** Whether an act moves money: then it has a preview, and takes the balance that staff have seen. */
export const movesMoney = (does: MoneyAct['does']): boolean => !others.has(does);

const isAsForeseen = (foreseen: Foreseen, got: Money | 'refused'): boolean => {
  if (foreseen === 'refused') return got === 'refused';
  return got === 'refused' ? foreseen.mayRefuse : isDeepStrictEqual(got, foreseen.after);
};

/**
 * The money that an answer outside a transaction was decided on. It may have read the balances before, and the refunds
 * or the reservation after another statement.
 */
const possible = ({ states }: Watch): Money[] =>
  states.flatMap((balances) =>
    states.map(({ begunOwed, begunSurplus, isCancelled }) => ({
      ...balances,
      begunOwed,
      begunSurplus,
      isCancelled,
    })),
  );

const shown = (value: unknown): string => JSON.stringify(value);

/** The transactions that the model does not allow. */
const wrongTransactions = (act: MoneyAct, { transactions }: Watch): string[] =>
  transactions.flatMap(({ before, after, isRefused }) => {
    const got = isRefused ? 'refused' : after;
    const foreseen = foresee(act, before);
    if (isAsForeseen(foreseen, got)) return [];
    return [`${shown(act)} with ${shown(before)} is ${shown(got)} and not ${shown(foreseen)}`];
  });

/** A refusal that the model does not allow. */
function wrongRefusal(act: MoneyAct, watch: Watch): string[] {
  const isAllowed =
    watch.transactions.some(({ isRefused }) => isRefused) ||
    possible(watch).some((before) => isAsForeseen(foresee(act, before), 'refused'));
  return isAllowed ? [] : [`${shown(act)} was refused with ${shown(watch.states)}`];
}

interface Balances {
  due: number;
  collected: number;
  open: number;
  refunded: number;
}

const balancesOf = ({ due, collected, open, refunded }: Balances): Balances => ({
  due,
  collected,
  open,
  refunded,
});

/** A preview that the model does not allow. */
function wrongPreview(act: MoneyAct, watch: Watch, view: object): string[] {
  const { after, balances } = view as { after?: Balances; balances?: Balances };
  const seen = balancesOf((after ?? balances)!);
  const isAllowed = possible(watch).some((before) => {
    const foreseen = foresee(act, before);
    return foreseen !== 'refused' && isDeepStrictEqual(balancesOf(foreseen.after), seen);
  });
  return isAllowed
    ? []
    : [`a preview of ${shown(act)} with ${shown(watch.states)} shows ${shown(seen)}`];
}

// Nobody can know how often others were faster.
const isOvertaken = ({ message }: RefusedAct): boolean => message.includes('faster each time');

/** Does an act, or shows its preview, and compares it with the model. Adds what differs to the problems. */
export async function doWatched(
  context: ActContext,
  watch: Watch,
  act: MoneyAct,
  { dryRun, problems }: { dryRun: boolean; problems: string[] },
): Promise<void> {
  try {
    const view = await doing[act.does](context, act, dryRun);
    if (dryRun) problems.push(...wrongPreview(act, watch, view));
    const seen = [...watch.states, ...watch.transactions.map(({ before }) => before)];
    if (act.does === 'link' && !seen.some(mayBeLinked))
      problems.push(`a payment link was given with ${shown(watch.states)}`);
  } catch (error) {
    if (!(error instanceof RefusedAct)) throw error;
    if (!isOvertaken(error)) problems.push(...wrongRefusal(act, watch));
  } finally {
    // What a transaction has done stays, whether or not its answer arrives.
    problems.push(...wrongTransactions(act, watch));
    if (dryRun && watch.transactions.length > 0) problems.push(`a preview of ${shown(act)} writes`);
  }
}
