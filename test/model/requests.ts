import type Type from 'typebox';
import type { ReservationRequest as RequestOnWire } from '../../src/contract/partner/schemas/reservation.ts';
import type { NextAction } from '../../src/contract/states.ts';
import { guest, type CallReply } from '../harness/partner.ts';
import type { SessionClients } from './session-clients.ts';
import { checkAccepted } from './checkouts.ts';
import {
  isOverQuota,
  overQuota,
  refused,
  refusedEarly,
  shown,
  type ReplySummary,
} from './reply-summary.ts';
import { isUsedUp, usedUpRefusal } from './codes.ts';
import { dayFull, isDayFull } from './daily-limit.ts';
import type { Kind, Terms } from './kind.ts';
import {
  actionsAfter,
  requestsOf,
  type AccountName,
  type QuoteName,
  type Request,
  type RequestName,
  type World,
} from './world.ts';

/** Creates a reservation request. */
export interface RequestCall {
  does: 'request';
  by: AccountName;
  request: RequestName;
  quote: QuoteName;
  terms: Terms;
  suffix: string;
  partnerReference: string | null;
}

/** Reads a reservation request. */
export interface ReadRequestCall {
  does: 'readRequest';
  by: AccountName;
  request: RequestName;
}

/** Lists all requests, or the one with a partner reference. */
export interface ListRequestsCall {
  does: 'listRequests';
  by: AccountName;
  partnerReference: string | null;
}

type Body = Type.Static<typeof RequestOnWire>;

const actions: Record<Request['state'], (request: Request) => NextAction[]> = {
  pending: () => ['poll'],
  unresolved: () => ['poll'],
  confirmed: () => ['view_confirmation'],
  failed: ({ failure }) => actionsAfter(failure),
};

/** The expected request. */
export function requestViewOf(name: RequestName, request: Request): object {
  const nextActions = actions[request.state](request);
  return {
    request: name,
    quote: request.quote,
    version: request.version,
    state: request.state,
    partnerReference: request.partnerReference,
    isReserved: request.reservation !== null,
    isUncertain: request.state === 'unresolved',
    nextActions,
    polls: nextActions.includes('poll') ? 1 : null,
    failure: request.failure,
    code: request.code,
  };
}

function inputOf({ quote, terms, suffix, partnerReference }: RequestCall): string {
  return JSON.stringify({ quote, terms, suffix, partnerReference });
}

function predict(world: World, call: RequestCall): ReplySummary {
  const account = world.accounts[call.by];
  const { request: name, partnerReference } = call;
  const quote = account.quotes[call.quote];
  if (!quote) return refusedEarly(account, 'write', '404 not_found');
  if (account.settlement === 'card') return refusedEarly(account, 'write', '503 not_configured');
  const existing = account.requests[name];
  if (existing?.input === inputOf(call)) return shown(202, requestViewOf(name, existing));
  if (isOverQuota(account, 'write')) return overQuota;
  if (isDayFull(world, call.by)) return dayFull;
  if (existing) return refused('409 conflict different_input');
  if (quote.used) return refused('409 conflict quote_used');
  const isTaken = requestsOf(account).some(
    ([, other]) => partnerReference !== null && other.partnerReference === partnerReference,
  );
  if (isTaken) return refused('409 conflict partner_reference');
  if (quote.expired) return refused('409 quote_expired');
  if (call.terms !== call.quote) return refused('409 conflict terms_version');
  if (isUsedUp(world, quote.code)) return refused(usedUpRefusal);
  quote.used = true;
  const created: Request = {
    quote: call.quote,
    version: 1,
    state: 'pending',
    suffix: call.suffix,
    failure: null,
    isAnnounced: false,
    reservation: null,
    code: quote.code,
    holdsUse: quote.code !== null,
    partnerReference,
    input: inputOf(call),
  };
  account.requests[name] = created;
  return shown(202, requestViewOf(name, created));
}

/** Compares a real request; each version always has the same members. */
export function showsRequest(sessionClients: SessionClients, by: AccountName, body: Body): object {
  const request = sessionClients.nameOf(by, body.reservationRequestId);
  sessionClients.mustStay(`${by} ${request} at version ${body.version}`, body);
  if (body.reference !== null && (request === 'r1' || request === 'r2')) {
    sessionClients.learnReference(by, request, body.reference);
  }
  return {
    request,
    quote: sessionClients.nameOf(by, body.quoteId),
    version: body.version,
    state: body.state,
    partnerReference: body.partnerReference,
    isReserved: body.reference !== null,
    isUncertain: body.uncertain !== undefined,
    nextActions: body.nextActions,
    polls: sessionClients.shownPolls(body.pollAfterSeconds),
    failure: body.failure?.reason ?? null,
    code: sessionClients.nameOfCode(body.promotionCode),
  };
}

function showsCreated(
  sessionClients: SessionClients,
  { by, request }: RequestCall,
  reply: CallReply,
): object {
  checkAccepted(reply, `/v1/reservation-requests/${sessionClients.idOf(by, request)}`);
  return showsRequest(sessionClients, by, reply.body as Body);
}

export const requestKind: Kind<RequestCall> = {
  operation: 'reservation.reservationRequest.create',
  tier: 'write',
  predict,
  input(sessionClients, { by, request, quote, terms, suffix, partnerReference }) {
    const { id, headers } = sessionClients.naming(request, 'reservationRequestId');
    const body = {
      ...id,
      quoteId: sessionClients.idOf(by, quote),
      termsVersion: sessionClients.termsVersion(by, terms),
      termsAccepted: true,
      guest: guest(suffix),
      ...(partnerReference !== null && { partnerReference }),
    };
    return { headers, rawBody: JSON.stringify(body) };
  },
  shows: showsCreated,
};

export const readRequestKind: Kind<ReadRequestCall> = {
  operation: 'reservation.reservationRequest.get',
  tier: 'read',
  predict(world, { by, request: name }) {
    const request = world.accounts[by].requests[name];
    return request ? shown(200, requestViewOf(name, request)) : refused('404 not_found');
  },
  input: (sessionClients, { by, request }) => ({
    params: { reservationRequestId: sessionClients.idOf(by, request) },
  }),
  shows: (sessionClients, { by }, reply) => showsRequest(sessionClients, by, reply.body as Body),
};

const byName = (items: { request: string }[]) =>
  items.toSorted((a, b) => (a.request < b.request ? -1 : 1));

/** Asserts that the newest is first. */
export const isNewestFirst = (items: readonly Body[]): boolean =>
  items.every((item, at) => at === 0 || item.createdAt <= items[at - 1]!.createdAt);

export const listRequestsKind: Kind<ListRequestsCall> = {
  operation: 'reservation.reservationRequest.list',
  tier: 'read',
  predict(world, { by, partnerReference }) {
    const all = requestsOf(world.accounts[by]);
    const named = all.filter(
      ([, request]) => partnerReference === null || request.partnerReference === partnerReference,
    );
    const items = named.map(([name, request]) => requestViewOf(name, request));
    return shown(200, { items, isNewestFirst: true, nextCursor: null });
  },
  input: (_, { partnerReference }) => ({
    query: partnerReference === null ? {} : { partnerReference },
  }),
  shows(sessionClients, { by }, reply) {
    const { items, nextCursor } = reply.body as { items: Body[]; nextCursor: string | null };
    const shownItems = items.map(
      (item) => showsRequest(sessionClients, by, item) as { request: string },
    );
    return { items: byName(shownItems), isNewestFirst: isNewestFirst(items), nextCursor };
  },
};
