/** Signals, and the searches that they join. */
import type { SignalName as EventName } from '../../src/contract/partner/schemas/signal.ts';
import { signalJoins } from '../../src/contract/partner/schemas/signal.ts';
import { daysAhead } from '../harness/partner.ts';
import type { SessionClients } from './session-clients.ts';
import {
  isOverQuota,
  overQuota,
  refused,
  refusedEarly,
  shown,
  type ReplySummary,
} from './reply-summary.ts';
import { checkMeta, resultsOf, searchAgeSeconds, type SearchPage } from './browse.ts';
import { datesOf, searched, stayWords } from './homes.ts';
import { atCheckout, type Kind, type Session } from './kind.ts';
import { isKnownHome } from './quotes.ts';
import type {
  AccountName,
  Checkout,
  CheckoutName,
  QuoteName,
  SignalName,
  StayName,
  World,
} from './world.ts';

/** Sends a signal. Its join matters only if its name requires one. */
export interface SignalCall {
  does: 'signal';
  by: AccountName;
  signal: SignalName;
  name: EventName;
  stay: StayName;
  quote: QuoteName;
  checkout: CheckoutName;
  session: Session;
  /** The account of the joined search; null: none. */
  search: AccountName | null;
}

/** A search, observed or not. */
export interface SearchCall {
  does: 'search';
  by: AccountName;
  isObserved: boolean;
  /** The dates and party, of any home; null: in the simulation, whose results are not compared. */
  stay: StayName | null;
}

type Join = (typeof signalJoins)[EventName];

/** Whether the join of a signal exists for this account. */
function isThere(world: World, call: SignalCall): boolean {
  const account = world.accounts[call.by];
  const join: Join = signalJoins[call.name];
  switch (join) {
    case null:
      return true;
    case 'searchObservationId':
      return call.search === call.by;
    case 'listingId':
      return isKnownHome(world, call.by, call.stay);
    case 'quoteId':
      return account.quotes[call.quote] !== null;
    case 'checkoutId':
      return account.checkouts[call.checkout] !== null;
  }
}

const borneOut: Partial<Record<EventName, (checkout: Checkout) => boolean>> = {
  details_completed: ({ suffix }) => suffix !== null,
  payment_submitted: ({ state }) => ['pending', 'uncertain', 'confirmed'].includes(state),
  confirmation_viewed: ({ state }) => state === 'confirmed',
};

const homeNamed = (stay: StayName): string => stay.split(' ')[0]!;

/** The body of a signal, with only its own join. */
function inputOf({ name, stay, quote, checkout, search }: SignalCall): string {
  const joined = {
    listingId: homeNamed(stay),
    quoteId: quote,
    checkoutId: checkout,
    searchObservationId: search,
  };
  const join: Join = signalJoins[name];
  return JSON.stringify({ name, join: join && joined[join] });
}

function predict(world: World, call: SignalCall): ReplySummary {
  const account = world.accounts[call.by];
  const { signal: name } = call;
  if (!isThere(world, call)) return refusedEarly(account, 'signal', '404 not_found');
  const isOfCheckout = signalJoins[call.name] === 'checkoutId';
  if (isOfCheckout && call.session !== 'own') {
    return refusedEarly(account, 'signal', '403 forbidden session_capability');
  }
  const existing = account.signals[name];
  if (existing === inputOf(call)) return shown(200, { signal: name });
  if (isOverQuota(account, 'signal')) return overQuota;
  if (existing !== null) return refused('409 conflict different_input');
  const checkout = account.checkouts[call.checkout];
  const isBorneOut = !isOfCheckout || (borneOut[call.name]?.(checkout!) ?? true);
  if (!isBorneOut) return refused('409 invalid_state');
  account.signals[name] = inputOf(call);
  return shown(201, { signal: name });
}

const noSearch = '0198f3a0-0000-7000-8000-000000000000';

function joinOf(sessionClients: SessionClients, call: SignalCall): object {
  const join: Join = signalJoins[call.name];
  switch (join) {
    case null:
      return {};
    case 'searchObservationId': {
      const known = call.search === null ? undefined : sessionClients.observation(call.search);
      return { searchObservationId: known ?? noSearch };
    }
    case 'listingId':
      return { listingId: sessionClients.stays.of(call.stay).listingId };
    case 'quoteId':
      return { quoteId: sessionClients.idOf(call.by, call.quote) };
    case 'checkoutId':
      return { checkoutId: sessionClients.idOf(call.by, call.checkout) };
  }
}

export const signalKind: Kind<SignalCall> = {
  operation: 'cdp.signal.capture',
  tier: 'signal',
  predict,
  input(sessionClients, call) {
    const { id, headers } = sessionClients.naming(call.signal, 'signalId');
    const body = {
      ...id,
      name: call.name,
      routeFamily: 'checkout',
      ...joinOf(sessionClients, call),
    };
    const isOfCheckout = signalJoins[call.name] === 'checkoutId';
    const { session } = atCheckout(sessionClients, call);
    return {
      headers,
      rawBody: JSON.stringify(body),
      ...(isOfCheckout && session !== undefined && { session }),
    };
  },
  shows: (sessionClients, { by }, { body }) => ({
    signal: sessionClients.nameOf(by, (body as { signalId: string }).signalId),
  }),
};

const nights = 3;
const firstDay = 30;
const simulatedSearch = {
  checkIn: daysAhead(firstDay),
  checkOut: daysAhead(firstDay + nights),
  party: { adults: 2 },
  limit: 1,
};

export const searchKind: Kind<SearchCall> = {
  operation: 'distribution.listing.search',
  tier: 'search',
  predict({ accounts, inventory }, { by, isObserved, stay }) {
    if (isOverQuota(accounts[by], 'search')) return overQuota;
    return shown(200, { isObserved, found: stay && searched(inventory!, by, stayWords(stay)) });
  },
  input(_, { isObserved, stay }) {
    const consent = isObserved ? 'not_required' : 'denied';
    const asked = stay ? { ...datesOf(stayWords(stay)), limit: 50 } : simulatedSearch;
    return { rawBody: JSON.stringify({ ...asked, consent }) };
  },
  shows(sessionClients, { by, stay }, { body }) {
    const { searchObservationId, items, meta } = body as SearchPage;
    if (searchObservationId !== null) sessionClients.learnObservation(by, searchObservationId);
    if (stay) checkMeta(meta, searchAgeSeconds);
    const found = stay && resultsOf(sessionClients, items);
    return { isObserved: searchObservationId !== null, found };
  },
};
