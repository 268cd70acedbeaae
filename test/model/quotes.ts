import type { CallReply } from '../harness/partner.ts';
import type { Quote as QuoteOnWire } from '../../src/contract/partner/schemas/quote.ts';
import type { SessionClients } from './session-clients.ts';
import {
  isOverQuota,
  overQuota,
  refused,
  refusedEarly,
  shown,
  type ReplySummary,
} from './reply-summary.ts';
import type { Kind } from './kind.ts';
import type { AccountName, QuoteName, StayName, World } from './world.ts';

/** Creates a quote. */
export interface QuoteCall {
  does: 'quote';
  by: AccountName;
  quote: QuoteName;
  stay: StayName;
}

function predict(world: World, { by, quote, stay }: QuoteCall): ReplySummary {
  const account = world.accounts[by];
  const existing = account.quotes[quote];
  if (existing?.stay === stay) return shown(200, { quote, stay });
  if (stay === 'nowhere') return refusedEarly(account, 'search', '404 not_found');
  if (isOverQuota(account, 'search')) return overQuota;
  if (existing) return refused('409 conflict different_input');
  if (stay === 'tooMany') return refused('422 policy_restricted too_many_guests');
  if (stay === 'taken') return refused('409 conflict unavailable');
  account.quotes[quote] = { stay, expired: false, used: false };
  return shown(201, { quote, stay });
}

function stayOf(
  sessionClients: SessionClients,
  { listingId, checkIn, checkOut, party }: QuoteOnWire,
): string {
  const given = JSON.stringify({ listingId, checkIn, checkOut, party });
  const names = Object.keys(sessionClients.stays) as StayName[];
  return names.find((name) => JSON.stringify(sessionClients.stays[name]) === given) ?? given;
}

/** The charges of a stay without their due dates. */
export const priceOf = ({ currency, total, lines, nights }: QuoteOnWire['charges']): object => ({
  currency,
  total,
  lines,
  nights,
});

function shows(sessionClients: SessionClients, { by }: QuoteCall, reply: CallReply): object {
  const body = reply.body as QuoteOnWire;
  const quote = sessionClients.nameOf(by, body.quoteId);
  sessionClients.mustStay(`quote ${by} ${sessionClients.quoteTag(by, quote)}`, body);
  sessionClients.mustStay(`the price of ${by} ${quote} with no code`, priceOf(body.charges));
  return { quote, stay: stayOf(sessionClients, body) };
}

export const quoteKind: Kind<QuoteCall> = {
  operation: 'reservation.quote.create',
  tier: 'search',
  predict,
  input(sessionClients, { quote, stay }) {
    const { id, headers } = sessionClients.naming(quote, 'quoteId');
    return { headers, rawBody: JSON.stringify({ ...id, ...sessionClients.stays[stay] }) };
  },
  shows,
};
