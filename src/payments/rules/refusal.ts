import { dayMs, type EpochMs } from '../../contract/time.ts';

/**
 * What a refusal of the provider means for the next try.
 *
 * - `funds`: the account has no money, or the bank gives no lasting reason.
 * - `card`: stolen, lost, expired or closed; this card is never charged again.
 * - `guest`: the guest must authenticate the payment.
 * - `amount`: the provider cannot take or return this amount.
 * - `account`: our keys or their permissions do not reach the card or the payment.
 */
export type RefusalKind = 'funds' | 'card' | 'guest' | 'amount' | 'account';

/** How each kind of refusal goes on. After the last delay, or without any, only staff start it again. Spec: MONEY-7. */
export const refusalRules = {
  funds: { delaysDays: [1, 2, 3, 5, 7], endsCard: false },
  card: { delaysDays: [], endsCard: true },
  guest: { delaysDays: [], endsCard: false },
  amount: { delaysDays: [], endsCard: false },
  account: { delaysDays: [], endsCard: false },
} as const satisfies Readonly<
  Record<RefusalKind, { delaysDays: readonly number[]; endsCard: boolean }>
>;

/** A refusal that binds: neither staff nor another payment has resolved it since. */
export interface Refusal {
  kind: RefusalKind;
  /** The provider's code, for staff. */
  code: string | null;
  at: EpochMs;
}

/** When a part with these refusals, oldest first, is tried again; null: only when staff start it again. */
export function triedAgainAt(refusals: readonly Refusal[]): EpochMs | null {
  const last = refusals.at(-1);
  if (!last) return Number.NEGATIVE_INFINITY;
  const delays: readonly number[] = refusalRules[last.kind].delaysDays;
  const days = delays[refusals.length - 1];
  return days === undefined ? null : last.at + days * dayMs;
}

/** Whether one of these refusals ends the use of the card. */
export const endsCard = ({ kind }: Refusal): boolean => refusalRules[kind].endsCard;
