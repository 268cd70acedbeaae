import type { CallReply } from '../harness/partner.ts';
import type { Quote as QuoteOnWire } from '../../src/contract/partner/schemas/quote.ts';
import {
  chargesOf,
  isBookable,
  isSold,
  priceOf,
  ruleRefusal,
  shownCharges,
  stayWords,
  type Inventory,
} from './homes.ts';
import type { SessionClients } from './session-clients.ts';
import {
  isOverQuota,
  overQuota,
  refused,
  refusedEarly,
  shown,
  type Refused,
  type ReplySummary,
} from './reply-summary.ts';
import type { Kind, TwoSteps } from './kind.ts';
import type { AccountName, Quote, QuoteName, StayName, World } from './world.ts';

/** Creates a quote. */
export interface QuoteCall {
  does: 'quote';
  by: AccountName;
  quote: QuoteName;
  stay: StayName;
}

/** Whether the application knows the home of a stay. */
export function isKnownHome({ inventory }: World, by: AccountName, stay: StayName): boolean {
  if (stay === 'nowhere') return false;
  return inventory === null || isSold(inventory, by, stayWords(stay).home);
}

function refusalInSimulation(stay: StayName): Refused | null {
  if (stay === 'tooMany') return '422 policy_restricted too_many_guests';
  return stay === 'taken' ? '409 conflict unavailable' : null;
}

/** Why the operator's homes refuse a stay; null: they do not. */
function refusalAt(inventory: Inventory, by: AccountName, stay: StayName): Refused | null {
  const words = stayWords(stay);
  const content = inventory.content[words.home];
  const reason = ruleRefusal(inventory, words);
  if (reason !== null) return `422 policy_restricted ${reason}`;
  if (chargesOf(by, content, stay) === null) return '422 policy_restricted not_priced';
  return isBookable(inventory, words) ? null : '409 conflict unavailable';
}

/** The price of a stay as it was quoted, less the promotion; null: in the simulation. */
export function quotedPrice(
  by: AccountName,
  { stay, content }: Quote,
  code: string | null,
): object | null {
  const charges = content && chargesOf(by, content, stay, code);
  return charges && shownCharges(charges);
}

const viewOf = (by: AccountName, name: QuoteName, quote: Quote): object => ({
  quote: name,
  stay: quote.stay,
  price: quotedPrice(by, quote, null),
});

/** Decides a new quote on what is sold, priced and free now. */
function decisionOn({ inventory }: World, by: AccountName, stay: StayName): Quote | Refused {
  const refusal = inventory ? refusalAt(inventory, by, stay) : refusalInSimulation(stay);
  if (refusal !== null) return refusal;
  const content = inventory && inventory.content[stayWords(stay).home];
  return { stay, content, expired: false, used: false };
}

/** The response of a create of a known home, with what was decided about a new quote. */
function create(
  world: World,
  { by, quote: name, stay }: QuoteCall,
  decided: Quote | Refused,
): ReplySummary {
  const account = world.accounts[by];
  const existing = account.quotes[name];
  if (existing?.stay === stay) return shown(200, viewOf(by, name, existing));
  if (isOverQuota(account, 'search')) return overQuota;
  if (existing) return refused('409 conflict different_input');
  if (typeof decided === 'string') return refused(decided);
  account.quotes[name] = decided;
  return shown(201, viewOf(by, name, decided));
}

function predict(world: World, call: QuoteCall): ReplySummary {
  const { by, quote, stay } = call;
  const account = world.accounts[by];
  const isRepeat = account.quotes[quote]?.stay === stay;
  if (!isRepeat && !isKnownHome(world, by, stay)) {
    return refusedEarly(account, 'search', '404 not_found');
  }
  return create(world, call, decisionOn(world, by, stay));
}

/** Of equal creates at once, one can be refused because something has changed since another was decided. */
const inTwoSteps: TwoSteps<QuoteCall> = {
  idOf: ({ by, quote }) => `${by} ${quote}`,
  decide(world, { by, quote, stay }) {
    const account = world.accounts[by];
    if (account.quotes[quote] || !isKnownHome(world, by, stay)) return false;
    const decided = decisionOn(world, by, stay);
    if (typeof decided === 'string') return false;
    account.decided[quote] = decided;
    return true;
  },
  write(world, call) {
    const account = world.accounts[call.by];
    const decided = account.decided[call.quote];
    if (decided?.stay !== call.stay) return null;
    delete account.decided[call.quote];
    return create(world, call, decided);
  },
};

function shows(sessionClients: SessionClients, { by }: QuoteCall, reply: CallReply): object {
  const body = reply.body as QuoteOnWire;
  const quote = sessionClients.nameOf(by, body.quoteId) as QuoteName;
  sessionClients.learnTerms(by, quote, body.terms.version);
  sessionClients.mustStay(`quote ${by} ${sessionClients.quoteTag(by, quote)}`, body);
  sessionClients.mustStay(`the price of ${by} ${quote} with no code`, priceOf(body.charges));
  return {
    quote,
    stay: sessionClients.stays.nameOf(body),
    price: sessionClients.shownPrice(body.charges),
  };
}

export const quoteKind: Kind<QuoteCall> = {
  operation: 'reservation.quote.create',
  tier: 'search',
  predict,
  input(sessionClients, { quote, stay }) {
    const { id, headers } = sessionClients.naming(quote, 'quoteId');
    return { headers, rawBody: JSON.stringify({ ...id, ...sessionClients.stays.of(stay) }) };
  },
  shows,
  inTwoSteps,
};
