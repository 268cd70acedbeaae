/** The commands of a checkout, in the order of the decisions. */
import { guest, type CallReply } from '../harness/partner.ts';
import type { OperationId } from '../../src/contract/partner/operations.ts';
import type { CheckoutState } from '../../src/contract/states.ts';
import { samePrice } from '../../src/pricing/index.ts';
import type { SessionClients } from './session-clients.ts';
import {
  checkAccepted,
  isPastQuote,
  showsCheckout,
  showsStatus,
  statusOf,
  viewOf,
} from './checkouts.ts';
import {
  isOverQuota,
  overQuota,
  refused,
  refusedEarly,
  shown,
  type ReplySummary,
  type Refused,
} from './reply-summary.ts';
import { atCheckout, type Kind, type OnCheckout, type Terms } from './kind.ts';
import { codeRefusal, isUsedUp, usedUpRefusal } from './codes.ts';
import { chargesOf, isSold, stayWords } from './homes.ts';
import { dayFull, isDayFull } from './daily-limit.ts';
import type { Account, AccountName, Checkout, Quote, World } from './world.ts';

interface Versioned extends OnCheckout {
  version: number;
  /** The version goes into `If-Match` instead of the body. */
  inHeader: boolean;
}

/** Sends a command. `setup` is the number of the setup whose reference it uses; 0: another one. */
export type CommandCall = Versioned &
  (
    | { does: 'saveGuest'; suffix: string }
    | { does: 'applyPromo'; code: string }
    | { does: 'removePromo' }
    | { does: 'setupPayment' }
    | { does: 'verifyPayment'; setup: number; method: string }
    | { does: 'submit'; terms: Terms }
  );
export type Command = CommandCall['does'];

const allowedIn: Record<Command, readonly CheckoutState[]> = {
  saveGuest: ['needs_guest', 'needs_payment', 'ready'],
  applyPromo: ['needs_guest', 'needs_payment', 'ready'],
  removePromo: ['needs_guest', 'needs_payment', 'ready'],
  setupPayment: ['needs_payment'],
  verifyPayment: ['needs_payment', 'requires_action'],
  submit: ['ready'],
};

const notApplicable: Refused = '422 policy_restricted promotion_not_applicable';

/** The key of a command in the journal. */
const identityOf = (call: CommandCall): string =>
  JSON.stringify({
    ...call,
    by: undefined,
    checkout: undefined,
    session: undefined,
    inHeader: undefined,
  });

/** Whether a home is no longer sold, and whether its price has changed since the quote. */
function changesSince(
  { inventory }: World,
  by: AccountName,
  { stay, content }: Quote,
): { isGone: boolean; isChanged: boolean } {
  if (!inventory) return { isGone: false, isChanged: false };
  const { home } = stayWords(stay);
  if (!isSold(inventory, by, home)) return { isGone: true, isChanged: true };
  const prices = [content!, inventory.content[home]].map((one) => chargesOf(by, one, stay));
  const isSame = prices.every((charges) => charges && samePrice(charges, prices[0]!));
  return { isGone: false, isChanged: !isSame };
}

function applyCode(
  world: World,
  by: AccountName,
  checkout: Checkout,
  code: string,
): Refused | null {
  const refusal = codeRefusal(world, by, code);
  if (refusal) return refusal;
  const { isGone, isChanged } = changesSince(world, by, world.accounts[by].quotes[checkout.quote]!);
  if (isGone) return notApplicable;
  if (checkout.code !== code && isUsedUp(world, code)) return usedUpRefusal;
  if (isChanged) return notApplicable;
  checkout.code = code;
  checkout.holdsUse = true;
  return null;
}

function removeCode(checkout: Checkout): Refused | null {
  if (checkout.code === null) return '409 invalid_state';
  checkout.code = null;
  checkout.holdsUse = false;
  return null;
}

function setUp(checkout: Checkout): Refused | null {
  const { setup } = checkout;
  if (setup?.state === 'pending' && !setup.isMinuteOld) return '409 invalid_state';
  const attempt = (setup?.attempt ?? 0) + 1;
  checkout.setup = { state: 'pending', failure: null, attempt, isMinuteOld: false };
  return null;
}

/** Applies the effect without the version; or returns the refusal. */
function takeEffect(
  world: World,
  account: Account,
  checkout: Checkout,
  call: CommandCall,
): Refused | null {
  switch (call.does) {
    case 'saveGuest':
      checkout.suffix = call.suffix;
      if (checkout.state === 'needs_guest') {
        checkout.state = account.settlement === 'card' ? 'needs_payment' : 'ready';
      }
      return null;
    case 'applyPromo':
      return applyCode(world, call.by, checkout, call.code);
    case 'removePromo':
      return removeCode(checkout);
    case 'setupPayment':
      return setUp(checkout);
    case 'verifyPayment':
      if (checkout.setup?.state !== 'ready') return '409 invalid_state';
      if (call.setup !== checkout.setup.attempt) return '409 conflict setup_reference';
      checkout.method = call.method;
      checkout.state = checkout.state === 'requires_action' ? 'pending' : 'ready';
      return null;
    case 'submit': {
      if (call.terms !== checkout.quote) return '409 conflict terms_version';
      const needsAction = checkout.method === 'pm_simulated_requires_action';
      checkout.state = needsAction ? 'requires_action' : 'pending';
      checkout.isSubmitted = true;
      return null;
    }
  }
}

/** The response of a command that took effect, now or before. */
function done(account: Account, checkout: Checkout, call: CommandCall): ReplySummary {
  if (call.does === 'submit') return shown(202, statusOf(account, checkout));
  // A repeat after the submit depends on the current state.
  const isAccepted = call.does === 'verifyPayment' && checkout.isSubmitted;
  const status = call.does === 'setupPayment' || isAccepted ? 202 : 200;
  return shown(status, viewOf(account, call, checkout));
}

function expire(checkout: Checkout, call: CommandCall): ReplySummary {
  checkout.state = 'expired';
  checkout.failure = 'quote_expired';
  checkout.version += 1;
  checkout.holdsUse = false;
  checkout.expiredBy = identityOf(call);
  return refused('409 quote_expired');
}

function predict(world: World, call: CommandCall): ReplySummary {
  const account = world.accounts[call.by];
  const checkout = account.checkouts[call.checkout];
  if (!checkout) return refusedEarly(account, 'write', '404 not_found');
  if (call.session !== 'own') {
    return refusedEarly(account, 'write', '403 forbidden session_capability');
  }
  const isPayment = call.does === 'setupPayment' || call.does === 'verifyPayment';
  if (isPayment && account.settlement === 'partner') {
    return refusedEarly(account, 'write', '422 payment_not_required');
  }
  if (checkout.applied.includes(identityOf(call))) return done(account, checkout, call);
  if (checkout.expiredBy === identityOf(call)) return refused('409 quote_expired');
  if (isOverQuota(account, 'write')) return overQuota;
  if (call.does === 'submit' && isDayFull(world, call.by)) return dayFull;
  if (call.version !== checkout.version) return refused('412 precondition_failed');
  if (isPastQuote(account, checkout)) return expire(checkout, call);
  if (!allowedIn[call.does].includes(checkout.state)) return refused('409 invalid_state');
  const refusal = takeEffect(world, account, checkout, call);
  if (refusal) return refused(refusal);
  checkout.version += 1;
  checkout.applied = [...checkout.applied, identityOf(call)].toSorted();
  return done(account, checkout, call);
}

const anyReference = 'unknown';

function bodyOf(sessionClients: SessionClients, call: CommandCall): object {
  switch (call.does) {
    case 'saveGuest':
      return { guest: guest(call.suffix) };
    case 'applyPromo':
      return { code: sessionClients.codeOf(call.code) };
    case 'removePromo':
    case 'setupPayment':
      return {};
    case 'verifyPayment': {
      const setupReference =
        sessionClients.setupReference(call.by, call.checkout, call.setup) ?? anyReference;
      return { setupReference, paymentMethodId: call.method, consentAccepted: true };
    }
    case 'submit':
      return {
        termsVersion: sessionClients.termsVersion(call.by, call.terms),
        termsAccepted: true,
      };
  }
}

function input(sessionClients: SessionClients, call: CommandCall) {
  const { version, inHeader } = call;
  const headers = { 'if-match': `"${version}"` };
  if (call.does === 'removePromo') return { ...atCheckout(sessionClients, call), headers };
  const body = { ...(!inHeader && { expectedVersion: version }), ...bodyOf(sessionClients, call) };
  return {
    ...atCheckout(sessionClients, call),
    rawBody: JSON.stringify(body),
    headers: inHeader ? headers : {},
  };
}

function shows(sessionClients: SessionClients, call: CommandCall, reply: CallReply): object {
  const path = `/v1/checkouts/${sessionClients.idOf(call.by, call.checkout)}`;
  checkAccepted(reply, call.does === 'setupPayment' ? path : `${path}/status`);
  const shape = call.does === 'submit' ? showsStatus : showsCheckout;
  return shape(sessionClients, call, reply);
}

const kindFor = (operation: OperationId): Kind<CommandCall> => ({
  operation,
  tier: 'write',
  predict,
  input,
  shows,
});

export const commandKinds: Record<Command, Kind<CommandCall>> = {
  saveGuest: kindFor('reservation.checkout.saveGuest'),
  applyPromo: kindFor('reservation.checkout.applyPromo'),
  removePromo: kindFor('reservation.checkout.removePromo'),
  setupPayment: kindFor('reservation.checkout.setupPayment'),
  verifyPayment: kindFor('reservation.checkout.verifyPayment'),
  submit: kindFor('reservation.checkout.submit'),
};
