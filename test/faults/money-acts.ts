/** What staff and others do with the money of reservations in a fault run: here, outside, and in the provider's dashboard. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type PaymentNotice, recordKinds } from '../../src/payments/index.ts';
import { disputeIn } from '../../src/payments/stripe/events.ts';
import { takePaymentNotice } from '../../src/payments/take-notice.ts';
import { DatabaseUnavailableError } from '../../src/platform/postgres/database-errors.ts';
import {
  recordPayment,
  reducePayment,
  refundPayment,
  resolveCheckout,
  startPayment,
  stopPayment,
} from '../harness/acts.ts';
import type { Chance } from '../harness/chance.ts';
import { sql } from '../harness/rows.ts';
import { actor } from '../harness/staff.ts';
import type { Dispute } from '../harness/stripe/objects.ts';
import type { StandIn } from '../harness/stripe/stand-in.ts';
import { type Act, attempt, type End, reason, type StaffOptions, staffOf } from './staff.ts';

const most = 3_000;
const triesAtMost = 600;
const pauseMs = 100;

type MoneyAct = (
  database: StaffOptions['database'],
  input: { reference: string; reason: string; amount: number },
) => Promise<unknown>;

/** Does something with the money of a reservation that a guest knows. */
const withMoney =
  (act: MoneyAct): Act =>
  async (options, chance) => {
    const reference = options.reservation(chance);
    if (reference === undefined) return 'refused';
    const input = { reference, reason, amount: 1 + chance.below(most) };
    return attempt(act(options.database, input), () => undefined);
  };

const recording = (kind: (typeof recordKinds)[number]): Act =>
  withMoney((database, input) =>
    recordPayment(database, actor, { ...input, kind, method: 'transfer' }),
  );

/** Staff decide that a booking whose outcome is not known was not made. */
const decideNotMade: Act = async (options, chance) => {
  const rows = await sql<{ id: string }>(
    options.database,
    `SELECT booking_id AS id FROM bookings WHERE state = 'uncertain' ORDER BY booking_id LIMIT 10`,
  ).catch(() => []);
  if (rows.length === 0) return 'refused';
  const input = { checkoutId: chance.pick(rows).id, as: 'failed', reason } as const;
  return attempt(resolveCheckout(staffOf(options), actor, input), () => undefined);
};

/** The provider tells of something until it is taken: the database may be down. */
async function tell(
  { database }: StaffOptions,
  notice: Omit<PaymentNotice, 'paymentId' | 'eventReference'>,
  eventReference: string,
): Promise<End> {
  for (let told = 0; told < triesAtMost; told += 1) {
    try {
      const all = { ...notice, paymentId: null, eventReference };
      if ((await takePaymentNotice(database, all)) === 'taken') return 'done';
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError)) throw error;
    }
    await sleep(pauseMs);
  }
  return 'unclear';
}

/** The captured payments, with what is left of each. */
function kept({ payments, ledger }: StandIn): { id: string; left: number }[] {
  const signs = { captured: 1, refunded: -1, refund_failed: 1 } as const;
  const left = new Map<string, number>();
  for (const { kind, paymentIntent, amount } of ledger) {
    const sign = kind in signs ? signs[kind as keyof typeof signs] : 0;
    left.set(paymentIntent, (left.get(paymentIntent) ?? 0) + sign * amount);
  }
  return [...payments.keys()].flatMap((id) => {
    const rest = left.get(id) ?? 0;
    return rest > 0 ? [{ id, left: rest }] : [];
  });
}

/** The acts outside, at the provider of the run. */
export function actsOutside(standIn: StandIn): Record<string, Act> {
  const isElsewhere = { isElsewhere: true, refundedMinor: null };
  const pick = (chance: Chance) => {
    const payments = kept(standIn);
    return payments.length === 0 ? null : chance.pick(payments);
  };
  const tellOf = (options: StaffOptions, dispute: Dispute) =>
    tell(
      options,
      {
        providerReference: dispute.payment_intent,
        refund: null,
        dispute: disputeIn(dispute as unknown as Parameters<typeof disputeIn>[0]),
      },
      `${dispute.id} ${dispute.status}`,
    );
  return {
    'refund in the dashboard': async (options, chance) => {
      const payment = pick(chance);
      if (payment === null) return 'refused';
      const { id } = standIn.refundInDashboard(payment.id, 1 + chance.below(payment.left));
      const notice = { providerReference: payment.id, refund: isElsewhere, dispute: null };
      return tell(options, notice, id);
    },
    'send a refund back': async (options, chance) => {
      const done = [...standIn.refunds.values()].filter(({ status }) => status === 'succeeded');
      if (done.length === 0) return 'refused';
      const { id, payment_intent: providerReference } = chance.pick(done);
      standIn.finishRefund(id, 'failed');
      return tell(options, { providerReference, refund: isElsewhere, dispute: null }, id);
    },
    'dispute a payment': async (options, chance) => {
      const disputed = new Set([...standIn.disputes.values()].map((one) => one.payment_intent));
      const payment = pick(chance);
      if (payment === null || disputed.has(payment.id)) return 'refused';
      return tellOf(options, standIn.dispute(payment.id));
    },
    'end a dispute': async (options, chance) => {
      const open = [...standIn.disputes.values()].filter(
        ({ status }) => status === 'needs_response',
      );
      if (open.length === 0) return 'refused';
      const dispute = chance.pick(open);
      standIn.endDispute(dispute, chance.pick(['lost', 'won']));
      return tellOf(options, dispute);
    },
  };
}

/** What staff do with money. */
export const moneyActs: Record<string, Act> = {
  ...Object.fromEntries(recordKinds.map((kind) => [`record ${kind}`, recording(kind)])),
  'give back': withMoney((database, input) => refundPayment(database, actor, input)),
  'collect less': withMoney((database, input) => reducePayment(database, actor, input)),
  'stop collecting': withMoney((database, { amount: _, ...input }) =>
    stopPayment(database, actor, input),
  ),
  'start collecting': withMoney((database, { amount: _, ...input }) =>
    startPayment(database, actor, input),
  ),
  'decide that it was not made': decideNotMade,
};
