/** Creation and reads of a checkout; the commands are in another file. */
import type { CallReply } from '../harness/partner.ts';
import type {
  CheckoutStatus,
  Confirmation,
  CreatedCheckout,
} from '../../src/contract/partner/schemas/checkout.ts';
import type { NextAction } from '../../src/contract/states.ts';
import type Type from 'typebox';
import type { SessionClients } from './session-clients.ts';
import { Difference } from './difference.ts';
import {
  isOverQuota,
  overQuota,
  refused,
  refusedEarly,
  shown,
  type ReplySummary,
} from './reply-summary.ts';
import { atCheckout, type Kind, type OnCheckout } from './kind.ts';
import { priceOf } from './homes.ts';
import { isUsedUp, usedUpRefusal } from './codes.ts';
import { quotedPrice } from './quotes.ts';
import { applyAnnounced } from './reservations.ts';
import {
  actionsAfter,
  type Account,
  type AccountName,
  type Checkout,
  type CheckoutName,
  type QuoteName,
  type Setup,
  type World,
} from './world.ts';

/** Creates a checkout. */
export interface CheckoutCall {
  does: 'checkout';
  by: AccountName;
  checkout: CheckoutName;
  quote: QuoteName;
}

/** Reads a checkout, by any of its reads. */
export interface ReadCall extends OnCheckout {
  does: 'read' | 'readStatus' | 'readConfirmation';
}

function paymentAction(setup: Setup | null): NextAction {
  if (setup?.state === 'ready') return 'verify_payment';
  if (setup?.state === 'pending' && !setup.isMinuteOld) return 'poll';
  return setup?.failure === 'not_authorized' ? 'contact_support' : 'setup_payment';
}

const actions: Record<Checkout['state'], (checkout: Checkout) => NextAction[]> = {
  needs_guest: () => ['save_guest'],
  needs_payment: ({ setup }) => [paymentAction(setup)],
  ready: () => ['submit'],
  pending: () => ['poll'],
  requires_action: () => ['verify_payment'],
  confirmed: () => ['view_confirmation'],
  uncertain: () => ['poll'],
  failed: ({ failure }) => actionsAfter(failure),
  expired: () => ['refresh_quote'],
};

const unsubmitted: ReadonlySet<Checkout['state']> = new Set([
  'needs_guest',
  'needs_payment',
  'ready',
]);

/** Whether the quote expired before the checkout was submitted. */
export const isPastQuote = ({ quotes }: Account, { state, quote }: Checkout): boolean =>
  unsubmitted.has(state) && quotes[quote]!.expired;

/** The next actions of a checkout whose quote has not expired. */
export const actionsIn = (checkout: Checkout): NextAction[] => actions[checkout.state](checkout);

/** The next actions of a checkout. */
const actionsOf = (account: Account, checkout: Checkout): NextAction[] =>
  isPastQuote(account, checkout) ? ['refresh_quote'] : actionsIn(checkout);

/** The expected status. */
export function statusOf(account: Account, checkout: Checkout): object {
  const nextActions = actionsOf(account, checkout);
  return {
    version: checkout.version,
    state: checkout.state,
    nextActions,
    failure: checkout.failure,
    isReserved: checkout.reservation !== null,
    isUncertain: checkout.state === 'uncertain',
    polls: nextActions.includes('poll') ? 1 : null,
  };
}

/** The expected checkout. */
export const viewOf = (
  account: Account,
  { by, checkout: name }: { by: AccountName; checkout: CheckoutName },
  checkout: Checkout,
): object => ({
  checkout: name,
  quote: checkout.quote,
  ...statusOf(account, checkout),
  suffix: checkout.suffix,
  code: checkout.code,
  price: quotedPrice(by, account.quotes[checkout.quote]!, checkout.code),
  setup: checkout.setup && [checkout.setup.state, checkout.setup.failure],
});

const createdOf = (account: Account, call: CheckoutCall, checkout: Checkout): object => ({
  ...viewOf(account, call, checkout),
  hasCapability: checkout.version === 1,
});

function predictCreate(world: World, call: CheckoutCall): ReplySummary {
  const { by, checkout: name, quote: quoteName } = call;
  const account = world.accounts[by];
  const quote = account.quotes[quoteName];
  if (!quote) return refusedEarly(account, 'write', '404 not_found');
  if (world.inventory && account.settlement === 'card') {
    return refusedEarly(account, 'write', '503 not_configured');
  }
  const existing = account.checkouts[name];
  if (existing?.quote === quoteName) return shown(200, createdOf(account, call, existing));
  if (isOverQuota(account, 'write')) return overQuota;
  if (existing) return refused('409 conflict different_input');
  if (quote.used) return refused('409 conflict quote_used');
  if (quote.expired) return refused('409 quote_expired');
  if (isUsedUp(world, quote.code)) return refused(usedUpRefusal);
  quote.used = true;
  const created: Checkout = {
    quote: quoteName,
    version: 1,
    state: 'needs_guest',
    suffix: null,
    failure: null,
    isAnnounced: false,
    reservation: null,
    code: quote.code,
    holdsUse: quote.code !== null,
    setup: null,
    method: null,
    isSubmitted: false,
    isActionOverdue: false,
    applied: [],
    expiredBy: null,
  };
  account.checkouts[name] = created;
  return shown(201, createdOf(account, call, created));
}

/** The compared members of a real status. */
export function showsStatus(
  sessionClients: SessionClients,
  { by, checkout }: { by: AccountName; checkout: CheckoutName },
  { body }: CallReply,
): object {
  const { version, state, nextActions, failure, reference, uncertain, pollAfterSeconds } =
    body as CheckoutStatus;
  if (reference !== undefined) sessionClients.learnReference(by, checkout, reference);
  return {
    version,
    state,
    nextActions,
    failure: failure?.reason ?? null,
    isReserved: reference !== undefined,
    isUncertain: uncertain !== undefined,
    polls: sessionClients.shownPolls(pollAfterSeconds),
  };
}

/** The members that can differ between reads of one version. */
const passing = {
  sessionCapability: undefined,
  sessionExpiresAt: undefined,
  nextActions: undefined,
  pollAfterSeconds: undefined,
};

/** Compares a real checkout; each version always has the same members. */
export function showsCheckout(
  sessionClients: SessionClients,
  call: { by: AccountName; checkout: CheckoutName },
  reply: CallReply,
): object {
  const { by } = call;
  const body = reply.body as CreatedCheckout;
  const { version, promotionCode, guest, paymentSetup } = body;
  const checkout = sessionClients.nameOf(by, body.checkoutId);
  const quote = sessionClients.nameOf(by, body.quoteId) as QuoteName;
  sessionClients.learnTerms(by, quote, body.terms.version);
  const what = `${by} ${checkout} at version ${version}, on ${sessionClients.quoteTag(by, quote)}`;
  sessionClients.mustStay(what, { ...body, ...passing });
  const code = promotionCode ?? 'no code';
  sessionClients.mustStay(`the price of ${by} ${quote} with ${code}`, priceOf(body.charges));
  return {
    checkout,
    quote,
    ...showsStatus(sessionClients, call, reply),
    suffix: guest && (/\+(\w+)@/.exec(guest.email)?.[1] ?? guest.email),
    code: sessionClients.nameOfCode(promotionCode),
    price: sessionClients.shownPrice(body.charges),
    setup: paymentSetup ? [paymentSetup.state, paymentSetup.failure ?? null] : null,
  };
}

function showsCreated(
  sessionClients: SessionClients,
  call: CheckoutCall,
  reply: CallReply,
): object {
  const { sessionCapability, sessionExpiresAt } = reply.body as CreatedCheckout;
  if (sessionCapability !== undefined) {
    sessionClients.learnCapability(call.by, call.checkout, sessionCapability);
    sessionClients.mustStay(
      `the end of the session of ${call.by} ${call.checkout}`,
      sessionExpiresAt,
    );
  }
  return {
    ...showsCheckout(sessionClients, call, reply),
    hasCapability: sessionCapability !== undefined,
  };
}

export const checkoutKind: Kind<CheckoutCall> = {
  operation: 'reservation.checkout.create',
  tier: 'write',
  predict: predictCreate,
  input(sessionClients, { by, checkout, quote }) {
    const { id, headers } = sessionClients.naming(checkout, 'checkoutId');
    return { headers, rawBody: JSON.stringify({ ...id, quoteId: sessionClients.idOf(by, quote) }) };
  },
  shows: showsCreated,
};

/** Reads of an existing checkout with its capability; `view` selects the compared members. */
function predictRead(
  world: World,
  { by, checkout: name, session }: ReadCall,
  view: (account: Account, checkout: Checkout) => ReplySummary,
): ReplySummary {
  const account = world.accounts[by];
  const checkout = account.checkouts[name];
  if (!checkout) return refused('404 not_found');
  if (session !== 'own') return refused('403 forbidden session_capability');
  return view(account, checkout);
}

function showsConfirmation(
  sessionClients: SessionClients,
  { by, checkout }: ReadCall,
  { body }: CallReply,
): object {
  // A worker materializes it at any time.
  const { materialization: _, ...confirmation } = body as Type.Static<typeof Confirmation>;
  sessionClients.learnReference(by, checkout, confirmation.reference);
  sessionClients.mustStay(`the confirmation of ${by} ${checkout}`, confirmation);
  return { price: sessionClients.shownPrice(confirmation.charges) };
}

export const readKinds: Record<ReadCall['does'], Kind<ReadCall>> = {
  read: {
    operation: 'reservation.checkout.get',
    tier: 'read',
    predict: (world, call) =>
      predictRead(world, call, (account, checkout) => {
        const replySummary = shown(200, viewOf(account, call, checkout));
        applyAnnounced(account, call.checkout, checkout.reservation);
        return replySummary;
      }),
    input: atCheckout,
    shows: showsCheckout,
  },
  readStatus: {
    operation: 'reservation.checkout.getStatus',
    tier: 'read',
    predict: (world, call) =>
      predictRead(world, call, (account, checkout) => shown(200, statusOf(account, checkout))),
    input: atCheckout,
    shows: showsStatus,
  },
  readConfirmation: {
    operation: 'reservation.checkout.getConfirmation',
    tier: 'read',
    predict: (world, call) =>
      predictRead(world, call, (account, { reservation, quote, code }) => {
        if (!reservation) return refused('409 invalid_state');
        return shown(200, { price: quotedPrice(call.by, account.quotes[quote]!, code) });
      }),
    input: atCheckout,
    shows: showsConfirmation,
  },
};

/** Throws unless a 202 has Location, and Retry-After only if there is something to wait for. */
export function checkAccepted({ status, headers, body }: CallReply, location: string): void {
  if (status !== 202) return;
  const { pollAfterSeconds } = body as { pollAfterSeconds?: number };
  const received = [headers.get('location'), headers.get('retry-after')];
  const expected = [location, pollAfterSeconds === undefined ? null : String(pollAfterSeconds)];
  if (String(received) === String(expected)) return;
  throw new Difference(`a 202 has Location and Retry-After ${received}, not ${expected}`);
}
