import type { CallReply } from '../harness/partner.ts';
import type { Quote as QuoteOnWire } from '../../src/contract/partner/schemas/quote.ts';
import { codeRefusal, isUsedUp, usedUpRefusal } from './codes.ts';
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
  /** The promotion code that it is asked with. */
  code: string | null;
}

/** Whether the application knows the home of a stay. */
export function isKnownHome({ inventory }: World, by: AccountName, stay: StayName): boolean {
  if (stay === 'nowhere') return false;
  return inventory === null || isSold(inventory, by, stayWords(stay).home);
}

/** What a quote is asked for. */
type Asked = Pick<QuoteCall, 'by' | 'stay' | 'code'>;

/** Why a code is refused for a new quote; null: it is not, or there is none. */
function refusalOfCode(world: World, { by, code }: Asked): Refused | null {
  if (code === null) return null;
  return codeRefusal(world, by, code) ?? (isUsedUp(world, code) ? usedUpRefusal : null);
}

function refusalInSimulation(world: World, asked: Asked): Refused | null {
  if (asked.stay === 'tooMany') return '422 policy_restricted too_many_guests';
  const refusal = refusalOfCode(world, asked);
  if (refusal) return refusal;
  return asked.stay === 'taken' ? '409 conflict unavailable' : null;
}

/** Why the operator's homes refuse a stay; null: they do not. */
function refusalAt(world: World, inventory: Inventory, asked: Asked): Refused | null {
  const { by, stay } = asked;
  const words = stayWords(stay);
  const content = inventory.content[words.home];
  const reason = ruleRefusal(inventory, words);
  if (reason !== null) return `422 policy_restricted ${reason}`;
  if (chargesOf(by, content, stay) === null) return '422 policy_restricted not_priced';
  const refusal = refusalOfCode(world, asked);
  if (refusal) return refusal;
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
  code: quote.code,
  price: quotedPrice(by, quote, quote.code),
});

/** Decides a new quote on what is sold, priced and free now. */
function decisionOn(world: World, asked: Asked): Quote | Refused {
  const { inventory } = world;
  const { stay, code } = asked;
  const refusal = inventory
    ? refusalAt(world, inventory, asked)
    : refusalInSimulation(world, asked);
  if (refusal !== null) return refusal;
  const content = inventory && inventory.content[stayWords(stay).home];
  return { stay, content, code, expired: false, used: false };
}

const isSameInput = (quote: Quote, { stay, code }: Pick<QuoteCall, 'stay' | 'code'>): boolean =>
  quote.stay === stay && quote.code === code;

/** The response of a create of a known home, with what was decided about a new quote. */
function create(
  world: World,
  { by, quote: name, ...asked }: QuoteCall,
  decided: Quote | Refused,
): ReplySummary {
  const account = world.accounts[by];
  const existing = account.quotes[name];
  if (existing && isSameInput(existing, asked)) return shown(200, viewOf(by, name, existing));
  if (isOverQuota(account, 'search')) return overQuota;
  if (existing) return refused('409 conflict different_input');
  if (typeof decided === 'string') return refused(decided);
  account.quotes[name] = decided;
  return shown(201, viewOf(by, name, decided));
}

function predict(world: World, call: QuoteCall): ReplySummary {
  const { by, quote, stay } = call;
  const account = world.accounts[by];
  const existing = account.quotes[quote];
  const isRepeat = existing !== null && isSameInput(existing, call);
  if (!isRepeat && !isKnownHome(world, by, stay)) {
    return refusedEarly(account, 'search', '404 not_found');
  }
  return create(world, call, decisionOn(world, call));
}

/** Of equal creates at once, one can be refused because something has changed since another was decided. */
const inTwoSteps: TwoSteps<QuoteCall> = {
  idOf: ({ by, quote }) => `${by} ${quote}`,
  decide(world, call) {
    const { by, quote, stay } = call;
    const account = world.accounts[by];
    if (account.quotes[quote] || !isKnownHome(world, by, stay)) return false;
    const decided = decisionOn(world, call);
    if (typeof decided === 'string') return false;
    account.decided[quote] = decided;
    return true;
  },
  write(world, call) {
    const account = world.accounts[call.by];
    const decided = account.decided[call.quote];
    if (!decided || !isSameInput(decided, call)) return null;
    delete account.decided[call.quote];
    return create(world, call, decided);
  },
};

function shows(sessionClients: SessionClients, { by }: QuoteCall, reply: CallReply): object {
  const body = reply.body as QuoteOnWire;
  const quote = sessionClients.nameOf(by, body.quoteId) as QuoteName;
  sessionClients.learnTerms(by, quote, body.terms.version);
  sessionClients.mustStay(`quote ${by} ${sessionClients.quoteTag(by, quote)}`, body);
  const code = body.promotionCode ?? 'no code';
  sessionClients.mustStay(`the price of ${by} ${quote} with ${code}`, priceOf(body.charges));
  return {
    quote,
    stay: sessionClients.stays.nameOf(body),
    code: sessionClients.nameOfCode(body.promotionCode),
    price: sessionClients.shownPrice(body.charges),
  };
}

export const quoteKind: Kind<QuoteCall> = {
  operation: 'reservation.quote.create',
  tier: 'search',
  predict,
  input(sessionClients, { quote, stay, code }) {
    const { id, headers } = sessionClients.naming(quote, 'quoteId');
    const promotion = code !== null && { promotionCode: sessionClients.codeOf(code) };
    const body = { ...id, ...sessionClients.stays.of(stay), ...promotion };
    return { headers, rawBody: JSON.stringify(body) };
  },
  shows,
  inTwoSteps,
};
