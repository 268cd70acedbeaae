/** A kind of call in the model: the operation, the expected response, and how it is sent. */
import type { Tier } from '../../src/contract/limits.ts';
import type { OperationId } from '../../src/contract/partner/operations.ts';
import type { CallInput, CallReply } from '../harness/partner.ts';
import type { SessionClients } from './session-clients.ts';
import type { ReplySummary } from './reply-summary.ts';
import type { AccountName, CheckoutName, QuoteName, World } from './world.ts';

export interface Kind<C> {
  operation: OperationId;
  tier: Tier;
  /** Changes the world as the contract requires. Returns the expected response. */
  predict(world: World, call: C): ReplySummary;
  input(sessionClients: SessionClients, call: C): CallInput<OperationId>;
  /** The part of a successful response that the model compares. */
  shows(sessionClients: SessionClients, call: C, reply: CallReply): unknown;
  /** Absent: its decision and its writing are one step. */
  inTwoSteps?: TwoSteps<C>;
}

/** A create that is decided first and written later, while others change what it was decided on. */
export interface TwoSteps<C> {
  /** The resource that it creates. */
  idOf(call: C): string;
  /** Decides. Returns false if nothing would be written. */
  decide(world: World, call: C): boolean;
  /** Writes what was decided. Returns the expected response; null: nothing was decided. */
  write(world: World, call: C): ReplySummary | null;
}

/** A kind of act of the operator, by the function of the command line. It looks like a call. */
export interface ActKind<C> extends Pick<Kind<C>, 'predict' | 'shows'> {
  tier: 'read';
  act(sessionClients: SessionClients, call: C): Promise<CallReply>;
}

/** The capability that a call sends. */
export type Session = 'own' | 'none' | 'wrong';

/** A call on a checkout. */
export interface OnCheckout {
  by: AccountName;
  checkout: CheckoutName;
  session: Session;
}

/** The checkout of a call and its credentials. */
export function atCheckout(sessionClients: SessionClients, { by, checkout, session }: OnCheckout) {
  const params = { checkoutId: sessionClients.idOf(by, checkout) };
  if (session === 'none') return { params };
  const presented =
    session === 'own'
      ? sessionClients.capability(by, checkout)
      : sessionClients.otherCapability(by, checkout);
  return { params, ...(presented !== undefined && { session: presented }) };
}

/** The accepted terms: those of a quote, or unknown ones. */
export type Terms = QuoteName | 'wrong';
