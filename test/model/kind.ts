/** What a kind of call is to the model: the operation, what it must answer, how it is sent. */
import type { Tier } from '../../src/contract/limits.ts';
import type { OperationId } from '../../src/contract/partner/operations.ts';
import type { CallInput, CallReply } from '../harness/partner.ts';
import type { SessionClients } from './session-clients.ts';
import type { ReplySummary } from './reply-summary.ts';
import type { AccountName, CheckoutName, StayName, World } from './world.ts';

export interface Kind<C> {
  operation: OperationId;
  tier: Tier;
  /** Moves the world as the contract says; the answer that there must be. */
  predict(world: World, call: C): ReplySummary;
  input(sessionClients: SessionClients, call: C): CallInput<OperationId>;
  /** What of an answer that succeeds the model speaks about. */
  shows(sessionClients: SessionClients, call: C, reply: CallReply): unknown;
}

/** Which capability a call presents. */
export type Session = 'own' | 'none' | 'wrong';

/** A call on a checkout. */
export interface OnCheckout {
  by: AccountName;
  checkout: CheckoutName;
  session: Session;
}

/** How a call on a checkout says which, and by what right. */
export function atCheckout(sessionClients: SessionClients, { by, checkout, session }: OnCheckout) {
  const params = { checkoutId: sessionClients.idOf(by, checkout) };
  if (session === 'none') return { params };
  const presented =
    session === 'own'
      ? sessionClients.capability(by, checkout)
      : sessionClients.otherCapability(by, checkout);
  return { params, ...(presented !== undefined && { session: presented }) };
}

/** Whose terms are accepted: those of a stay, or some that no quote has. */
export type Terms = StayName | 'wrong';
