/** The calls of the documents' examples: a partner books, is paid for by card, and asks for a cancellation. */
import assert from 'node:assert/strict';
import { simulatedCatalog } from '../../src/build/simulated-catalog.ts';
import { eventTypes, type EventType } from '../../src/contract/events.ts';
import type { BodyOf, OperationId } from '../../src/contract/partner/operations.ts';
import type { Event } from '../../src/contract/partner/schemas/event.ts';
import type { PortalOperationId, PortalReplyOf } from '../../src/contract/portal/operations.ts';
import type { SandboxOperationId, SandboxReplyOf } from '../../src/contract/sandbox/operations.ts';
import { wholeFeed } from '../harness/events.ts';
import { eventually } from '../harness/eventually.ts';
import { send } from '../harness/http-client.ts';
import { movableClock } from '../harness/moved-clock.ts';
import type { Operator } from '../harness/operator.ts';
import { signedIn } from '../harness/staff-member.ts';
import type { CallInput, CallReply, OpenCheckout, Partner } from '../harness/partner.ts';
import { enterPortal, PortalCaller, type PortalInput } from '../harness/portal.ts';
import { Receiver } from '../harness/receiver.ts';
import { registerPartner } from '../harness/registration.ts';
import { sql } from '../harness/rows.ts';
import { callSandbox } from '../harness/sandbox.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import {
  CallRecording,
  firstCallAt,
  type RecordedOperation,
  type RecordedRequest,
} from './call-recording.ts';

/** What the documents' examples are made of. */
export interface RecordedExamples {
  /** By their IDs; `token` beside them. */
  calls: Record<string, RecordedOperation>;
  /** One event of each type. */
  events: Partial<Record<EventType, Event>>;
}

// The IDs that the partner chooses: UUIDv7.
const ids = {
  quote: '01a406c5-1b00-7632-b245-3a45d3d9ea72',
  checkout: '01a406c7-566a-7c77-a1e5-969f7edd4981',
  signal: '01a406c5-1e70-7d04-9924-15885af6d065',
  correlation: '01a406c2-4010-7577-bf0c-f4ee4f887ec9',
  journey: '01a406c2-47e0-7cde-9689-bbebbf6c5fe5',
  requestQuote: '01a406d3-d410-765d-876f-ee3498137e33',
  request: '01a406d5-4476-71f5-8b91-5b24d108d7ac',
  withdrawnRequest: '01a5972e-f180-7b1c-9a52-6d0f3e7c1b84',
  changeRequest: '01a5972f-05e1-7c2d-8b63-7e1f4d8c2a95',
  lostQuote: '01a406d7-0a3c-7e4f-9b52-2c6d8e0f1a37',
};

const baseUrl = 'https://sandbox.latchkey.invalid';
const endpointUrl = 'https://partner.invalid/latchkey/events';
// One week, from Saturday to Saturday, at a home of the simulation that takes all of this party.
const slug = 'casa-do-sobreiro';
const week = { checkIn: '2027-08-14', checkOut: '2027-08-21' };
const party = { adults: 2, children: 1 };
const guest = {
  firstName: 'Inês',
  lastName: 'Carvalho',
  email: 'ines.carvalho@guest.invalid',
  phone: '+351912345678',
};
const name = 'Harbour Stays';
const quotas = { read: 1_200, search: 120, write: 600, signal: 600 };
const withinMs = 20_000;

const catalog = simulatedCatalog();
const { listingId } = catalog.listings.find((home) => home.slug === slug)! as { listingId: string };
const uuidsOf = (value: unknown): string[] =>
  JSON.stringify(value).match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? [];

/** A gate: while it is closed, the supplier confirms nothing. */
function gate() {
  let opened = Promise.withResolvers<void>();
  opened.resolve();
  return {
    close: () => void (opened = Promise.withResolvers()),
    open: () => opened.resolve(),
    pass: () => opened.promise,
  };
}

interface Stage {
  service: TestService;
  recording: CallRecording;
  receiver: Receiver;
  confirming: ReturnType<typeof gate>;
  operator: Operator;
  /** Pays by card. */
  partner: Partner;
  /** Collects the money itself. */
  collecting: Partner;
}

type Answered<Reply> = Omit<CallReply, 'body'> & { body: Reply };

const requestOf = ({ params, query, body, headers, session }: CallInput<OperationId>) => ({
  ...(params && { params }),
  ...(query !== undefined && { query }),
  ...(body !== undefined && { body }),
  ...((session ?? headers) && {
    headers: { ...headers, ...(session !== undefined && { 'Session-Capability': session }) },
  }),
});

/** Makes a partner's calls, and records them. */
const asking =
  ({ recording }: Stage, partner: Partner) =>
  async <Id extends OperationId>(id: Id, input: CallInput<Id> = {}) => {
    const request = requestOf(input as CallInput<OperationId>) as RecordedRequest;
    const reply = await recording.call(id, request, () => partner.call(id, input));
    return reply as Answered<Awaited<ReturnType<typeof partner.succeed<Id>>>>;
  };

const inPortal =
  ({ recording }: Stage, caller: PortalCaller) =>
  async <Id extends PortalOperationId>(id: Id, input: PortalInput<Id> = {}) =>
    (await recording.call(id, { ...input } as RecordedRequest, () => caller.call(id, input)))
      .body as PortalReplyOf<Id>['body'];

const inSandbox =
  ({ recording }: Stage, partner: Partner) =>
  async <Id extends SandboxOperationId>(
    id: Id,
    input: NonNullable<Parameters<typeof callSandbox<Id>>[2]> = {},
  ) =>
    (
      await recording.call(id, { ...input } as RecordedRequest, () =>
        callSandbox(partner, id, input),
      )
    ).body as SandboxReplyOf<Id>['body'];

async function exchangeKey({ recording, partner }: Stage): Promise<void> {
  const { applicationId, applicationKey } = partner.credentials;
  const form = { grant_type: 'client_credentials' };
  const basic = Buffer.from(`${applicationId}:${applicationKey}`).toString('base64');
  await recording.call('token', { body: form }, async () => {
    const { status, text } = await send(`${partner.origin}/oauth/token`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${basic}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams(form).toString(),
    });
    return { status, body: JSON.parse(text) as unknown };
  });
}

async function readHomes(stage: Stage): Promise<void> {
  const ask = asking(stage, stage.partner);
  const headers = { 'X-Booking-Consumer': 'web' };
  const dates = { startDate: week.checkIn, endDate: week.checkOut };
  await ask('distribution.site.get', { headers });
  await ask('distribution.listing.list', { query: { limit: 1 }, headers });
  await ask('distribution.listing.get', { params: { listingId }, headers });
  const consent = 'not_required' as const;
  await ask('distribution.listing.search', {
    body: { ...week, party, limit: 1, journeyId: ids.journey, consent },
  });
  await ask('inventory.calendar.get', { params: { listingId }, query: dates });
  await asking(stage, stage.collecting)('inventory.change.list', { query: { limit: 2 } });
  await ask('inventory.calendar.list', { body: { listingIds: [listingId], ...dates } });
}

async function quote(stage: Stage): Promise<string> {
  const ask = asking(stage, stage.partner);
  const body = { quoteId: ids.quote, listingId, ...week, party };
  const { body: quoted } = await ask('reservation.quote.create', { body });
  await ask('reservation.quote.create', { body });
  const signal: BodyOf<'cdp.signal.capture'> = {
    signalId: ids.signal,
    name: 'quote_viewed',
    routeFamily: 'listing',
    deviceClass: 'mobile',
    correlationId: ids.correlation,
    consent: 'not_required',
    quoteId: ids.quote,
  };
  await ask('cdp.signal.capture', { body: signal });
  await ask('cdp.signal.capture', { body: signal });
  return quoted.terms.version;
}

/** A checkout from its beginning to the confirmation, with what `follows` it; returns the reference. */
async function book(
  stage: Stage,
  termsVersion: string,
  follows: () => Promise<unknown>,
): Promise<string> {
  const { partner, recording, confirming } = stage;
  const ask = asking(stage, partner);
  const creation = {
    body: { checkoutId: ids.checkout, quoteId: ids.quote, partnerReference: 'order-20426' },
  };
  const { body: created } = await ask('reservation.checkout.create', creation);
  await ask('reservation.checkout.create', creation);
  const at = { params: { checkoutId: ids.checkout }, session: created.sessionCapability! };
  await ask('reservation.checkout.saveGuest', { ...at, body: { expectedVersion: 1, guest } });
  const promotion = { ...at, body: { expectedVersion: 2, code: 'WELCOME10' } };
  await ask('reservation.checkout.applyPromo', promotion);
  await ask('reservation.checkout.removePromo', { ...at, headers: { 'If-Match': '"3"' } });
  const again = { ...at, body: { ...promotion.body, expectedVersion: 4 } };
  await partner.succeed('reservation.checkout.applyPromo', again);
  await ask('reservation.checkout.setupPayment', { ...at, body: { expectedVersion: 5 } });
  await partner.setUp({ at } as OpenCheckout);
  const { body: ready } = await ask('reservation.checkout.get', at);
  const { setupReference } = ready.paymentSetup as { setupReference: string };
  const verification = {
    ...at,
    body: {
      expectedVersion: ready.version,
      setupReference,
      paymentMethodId: 'pm_simulated_visa',
      consentAccepted: true as const,
    },
  };
  const { body: verified } = await ask('reservation.checkout.verifyPayment', verification);
  confirming.close();
  const expectedVersion = verified.version;
  await ask('reservation.checkout.submit', {
    ...at,
    body: { expectedVersion, termsVersion, termsAccepted: true },
  });
  // No card of the simulation asks for a step at submit. The response after such a step is the checkout, going on.
  const goingOn = await partner.call('reservation.checkout.get', at);
  recording.add('reservation.checkout.verifyPayment', requestOf(verification), {
    ...goingOn,
    status: 202,
  });
  confirming.open();
  await partner.statusOnce({ at } as OpenCheckout, ['confirmed']);
  await follows();
  const { body: status } = await ask('reservation.checkout.getStatus', at);
  await ask('reservation.checkout.getConfirmation', at);
  const { reference } = status as { reference: string };
  await ask('reservation.reservation.get', { params: { reference } });
  await ask('reservation.reservation.list', {
    query: { limit: 20, state: 'confirmed', checkInFrom: week.checkIn },
  });
  await ask('reservation.event.list', { query: { limit: 20 } });
  return reference;
}

/** Waits until the partner's only reservation has reached all records of the operator. */
const awaitRecord = (partner: Partner): Promise<void> =>
  eventually(async () => {
    const { items } = await partner.succeed('reservation.reservation.list');
    return items[0]!.materialization === 'ready';
  }, withinMs);

/** A partner that collects the money itself reserves with one call. */
async function requestStay(stage: Stage): Promise<string> {
  const { collecting } = stage;
  const ask = asking(stage, collecting);
  const body = { quoteId: ids.requestQuote, listingId, ...week, party };
  const { terms } = await collecting.succeed('reservation.quote.create', { body });
  const params = { reservationRequestId: ids.request };
  const partnerReference = 'order-20427';
  await ask('reservation.reservationRequest.create', {
    body: {
      ...params,
      quoteId: ids.requestQuote,
      termsVersion: terms.version,
      termsAccepted: true,
      guest,
      partnerReference,
    },
  });
  await eventually(async () => {
    const read = await collecting.succeed('reservation.reservationRequest.get', { params });
    return read.state === 'confirmed';
  }, withinMs);
  await awaitRecord(collecting);
  const { body: confirmed } = await ask('reservation.reservationRequest.get', { params });
  await ask('reservation.reservationRequest.list', { query: { limit: 20, partnerReference } });
  return confirmed.reference!;
}

async function askForCancellation(stage: Stage, reference: string): Promise<void> {
  const { partner, operator, recording } = stage;
  // A document has one example of a parameter, so both requests have the same ID there.
  recording.replace(ids.withdrawnRequest, ids.changeRequest);
  const ask = asking(stage, partner);
  const params = { reference };
  const note = 'The guest has broken a leg.';
  const body = { changeRequestId: ids.withdrawnRequest, kind: 'cancel' as const, note };
  await ask('reservation.change.request', { params, body });
  await ask('reservation.change.request', { params, body });
  const first = { params: { reference, changeRequestId: ids.withdrawnRequest } };
  await ask('reservation.change.withdraw', first);
  const { changeRequest: changeRequestId } = ids;
  await partner.succeed('reservation.change.request', {
    params,
    body: { ...body, changeRequestId },
  });
  await operator.done('operator.changeRequest.accept', { params: { changeRequestId }, body: {} });
  await ask('reservation.change.get', { params: { reference, changeRequestId } });
  await ask('reservation.change.list', { query: { limit: 20, state: 'accepted' } });
}

/** A person of the partner in the portal. */
async function enter(stage: Stage, partner: Partner): Promise<PortalCaller> {
  const { service, operator, recording } = stage;
  const { url } = await operator.done('operator.portalPerson.invite', {
    params: { applicationId: partner.credentials.applicationId },
    body: { name: 'Ada Byron', email: 'ada@harbour-stays.example' },
  });
  const caller = new PortalCaller(service.origin);
  const [, link = ''] = url.split('#link=');
  await recording.call('portal.session.begin', { body: { link } }, () => caller.enter(link));
  return caller;
}

async function lookAround(stage: Stage, caller: PortalCaller): Promise<void> {
  const ask = inPortal(stage, caller);
  await ask('portal.session.get');
  await ask('portal.ownSession.list');
  const { url } = await ask('portal.ownLink.issue', { body: {} });
  const other = new PortalCaller(stage.service.origin);
  await other.enter(url.split('#link=')[1]!);
  const { items } = await caller.succeed('portal.ownSession.list');
  const { sessionId } = items.find(({ isThis }) => !isThis)!;
  await ask('portal.ownSession.end', { params: { sessionId } });
  const { items: keys } = await ask('portal.key.list');
  assert.equal(keys.length, 1);
  const { keyId } = await ask('portal.key.issue', { body: { expiresInDays: 90 } });
  await ask('portal.key.revoke', { params: { keyId }, body: {} });
}

async function addEndpoint(stage: Stage, caller: PortalCaller): Promise<string> {
  const ask = inPortal(stage, caller);
  const { recording, receiver } = stage;
  recording.replace(receiver.url(), endpointUrl);
  const { endpointId } = await ask('portal.endpoint.add', {
    body: { url: receiver.url(), description: 'Bookings', eventTypes: null },
  });
  await ask('portal.endpoint.list');
  await ask('portal.endpoint.get', { params: { endpointId } });
  await ask('portal.endpoint.getSecret', { params: { endpointId } });
  return endpointId;
}

/** Waits until the endpoint has as many deliveries in this state. */
async function awaitDeliveries({
  caller,
  endpointId,
  state,
  count,
}: {
  caller: PortalCaller;
  endpointId: string;
  state: 'delivered' | 'pending';
  count: number;
}): Promise<void> {
  await eventually(async () => {
    const query = { endpointId, state };
    const { items } = await caller.succeed('portal.delivery.list', { query });
    return items.length === count;
  }, withinMs);
}

async function watchDeliveries(stage: Stage, caller: PortalCaller, endpointId: string) {
  const ask = inPortal(stage, caller);
  const query = { endpointId, state: 'delivered' as const, limit: 1 };
  const { items } = await ask('portal.delivery.list', { query });
  const { deliveryId, eventId } = items[0]!;
  await ask('portal.delivery.get', { params: { deliveryId } });
  await ask('portal.delivery.replay', { params: { deliveryId }, body: {} });
  const attempts = async () =>
    (await caller.succeed('portal.delivery.get', { params: { deliveryId } })).attemptsMade.length;
  await eventually(async () => (await attempts()) === 2, withinMs);
  await ask('portal.event.list', { query: { type: 'reservation.confirmed', limit: 1 } });
  await ask('portal.event.get', { params: { eventId } });
  await ask('portal.endpoint.test', {
    params: { endpointId },
    body: { type: 'reservation.confirmed' },
  });
  await awaitDeliveries({ caller, endpointId, state: 'delivered', count: 3 });
  await inSandbox(stage, stage.partner)('sandbox.event.deliver', {
    params: { eventId },
    body: { copies: 2, badSignature: true },
  });
  await awaitDeliveries({ caller, endpointId, state: 'pending', count: 0 });
}

async function lookUp(stage: Stage, caller: PortalCaller, reference: string): Promise<void> {
  const ask = inPortal(stage, caller);
  await ask('portal.booking.find', { query: { name: reference } });
  await ask('portal.booking.get', { params: { kind: 'checkout', bookingId: ids.checkout } });
  await ask('portal.reservation.simulate', {
    params: { reference },
    body: { change: 'moved_one_day' },
  });
}

/** The request log, once it has the call with this ID as its last. */
async function readRequests(stage: Stage, caller: PortalCaller): Promise<void> {
  const refused = await stage.partner.call('reservation.quote.create', {
    body: { quoteId: ids.lostQuote, listingId, ...week, party: { adults: 40 } },
  });
  const requestId = refused.headers.get('x-request-id')!;
  const query = { status: '4xx' as const, limit: 1 };
  const last = async () => (await caller.succeed('portal.request.list', { query })).items[0];
  await eventually(async () => (await last())?.requestId === requestId, withinMs);
  const ask = inPortal(stage, caller);
  await ask('portal.request.list', { query });
  await ask('portal.request.get', { params: { requestId } });
  const order = inSandbox(stage, stage.partner);
  await order('sandbox.request.list', { query: { status: '4xx' } });
  await order('sandbox.request.get', { params: { requestId } });
}

/** What the partner that collects the money owes, after a cancellation. */
async function readStatement(stage: Stage, reference: string): Promise<void> {
  const { operator, collecting } = stage;
  await inSandbox(stage, collecting)('sandbox.reservation.act', {
    params: { reference },
    body: { act: 'cancel' },
  });
  const { applicationId } = collecting.credentials;
  await operator.done('operator.application.change', {
    params: { applicationId },
    body: { commissionPercent: 12.5 },
  });
  const caller = await enter(stage, collecting);
  await inPortal(stage, caller)('portal.statement.get', {
    query: { month: '2027-03' },
  });
}

/** The endpoint is paused while something happens, and missed events are sent later. */
async function pauseEndpoint(
  stage: Stage,
  caller: PortalCaller,
  { endpointId, reference }: { endpointId: string; reference: string },
): Promise<void> {
  const ask = inPortal(stage, caller);
  const at = { params: { endpointId } };
  const eventsBefore = (await wholeFeed(stage.partner)).length;
  await ask('portal.endpoint.pause', { ...at, body: {} });
  await lookUp(stage, caller, reference);
  await askForCancellation(stage, reference);
  const missed = async () => (await caller.succeed('portal.endpoint.get', at)).missed;
  const since = (await wholeFeed(stage.partner)).length - eventsBefore;
  await eventually(async () => (await missed()) === since, withinMs);
  await ask('portal.endpoint.resume', { ...at, body: { missed: 'skip' } });
  await ask('portal.endpoint.replay', { ...at, body: { what: 'missed' } });
  await ask('portal.endpoint.countFailed', { ...at, query: { since: '2027-03-01T00:00:00Z' } });
  const wanted: EventType[] = ['reservation.confirmed', 'reservation.cancelled'];
  await ask('portal.endpoint.change', { ...at, body: { eventTypes: wanted } });
  await ask('portal.endpoint.rotateSecret', { ...at, body: {} });
  await ask('portal.endpoint.delete', at);
}

async function orderFaults(stage: Stage): Promise<void> {
  const order = inSandbox(stage, stage.partner);
  const rule = {
    match: { operation: 'reservation.quote.create', nth: 1 },
    do: { drop: 'after' },
  } as const;
  await order('sandbox.faults.put', { body: { seed: 7, rules: [rule] } });
  const body = { quoteId: ids.lostQuote, listingId, ...week, party };
  await assert.rejects(stage.partner.call('reservation.quote.create', { body }));
  const hits = async () => {
    const { body: faults } = await callSandbox(stage.partner, 'sandbox.faults.get');
    return (faults as SandboxReplyOf<'sandbox.faults.get'>['body']).rules[0]!.hits.length;
  };
  await eventually(async () => (await hits()) === 1, withinMs);
  await order('sandbox.faults.get');
  await order('sandbox.faults.delete');
  await order('sandbox.outcome.order', { body: { outcome: 'price_changed', price: 130_000 } });
}

async function runConformance(stage: Stage): Promise<void> {
  const order = inSandbox(stage, stage.partner);
  const only = ['quote-reply-lost' as const];
  const start = { body: { profile: 'card' as const, seed: 7, only } };
  const { runId } = await order('sandbox.run.start', start);
  const at = { params: { runId } };
  const scenario = { params: { runId, scenario: only[0]! } };
  await order('sandbox.run.get', at);
  await order('sandbox.scenario.start', scenario);
  await order('sandbox.scenario.finish', {
    ...scenario,
    body: {
      outcome: { ended: 'confirmed', reference: 'LK-7Q4M-2XHV', total: 120_500, currency: 'EUR' },
    },
  });
  await order('sandbox.run.finish', at);
  await order('sandbox.run.list');
  await order('sandbox.run.report', at);
  const abandoned = await callSandbox(stage.partner, 'sandbox.run.start', start);
  const { runId: second } = abandoned.body as { runId: string };
  stage.recording.replace(second, runId);
  await order('sandbox.run.delete', { params: { runId: second } });
}

async function play(stage: Stage): Promise<Event[]> {
  const { partner, service } = stage;
  const caller = await enter(stage, partner);
  await lookAround(stage, caller);
  const endpointId = await addEndpoint(stage, caller);
  await exchangeKey(stage);
  await readHomes(stage);
  await inPortal(stage, caller)('portal.quota.get');
  const termsVersion = await quote(stage);
  const reference = await book(stage, termsVersion, async () => {
    await awaitDeliveries({ caller, endpointId, state: 'delivered', count: 2 });
    await awaitRecord(partner);
  });
  await watchDeliveries(stage, caller, endpointId);
  await pauseEndpoint(stage, caller, { endpointId, reference });
  await readRequests(stage, caller);
  await inPortal(stage, caller)('portal.session.end');
  await readStatement(stage, await requestStay(stage));
  await orderFaults(stage);
  await runConformance(stage);
  const events = await wholeFeed(partner);
  // The last, because it has the committed examples, which are not made by these calls.
  const again = await enterPortal(service, partner);
  await inPortal(stage, again)('portal.eventType.list');
  await inSandbox(stage, partner)('sandbox.expire', { body: { token: true } });
  return events;
}

/** A refusal with its fields. Added last, because it must change no other example. */
async function recordRefusal({ recording, collecting }: Stage): Promise<void> {
  const wrong = { adults: 2, cats: 1 };
  const body = { quoteId: ids.lostQuote, listingId, ...week, checkIn: '2027-02-30', party: wrong };
  const rawBody = JSON.stringify(body);
  recording.add(
    'refusal',
    { body },
    await collecting.call('reservation.quote.create', { rawBody }),
  );
}

/** Makes the calls at a service of their own, whose clock says that it is March 2027. */
export async function recordExamples(): Promise<RecordedExamples> {
  const confirming = gate();
  let collecting!: Partner;
  const service: TestService = await startTestService(
    { BASE_URL: baseUrl },
    {
      prepare: async (database) => {
        const clock = await movableClock(database);
        await clock.move(`${firstCallAt - Date.now()} milliseconds`);
        // Before the homes are numbered, so that its feed of changes begins with them.
        collecting = await registerPartner(database, () => service.origin, { name });
      },
      // The same number of calls has the same quota left, however long they took.
      elapsedMs: () => 0,
      changeSupply: (supply) => ({
        ...supply,
        confirm: async (...asked) => {
          await confirming.pass();
          return supply.confirm(...asked);
        },
      }),
    },
  );
  const receiver = await Receiver.start();
  try {
    const now = async (): Promise<number> => {
      const text = 'SELECT clock_timestamp() AS now';
      return (await sql<{ now: number }>(service.database, text))[0]!.now;
    };
    const recording = new CallRecording(now, [...uuidsOf(catalog), ...Object.values(ids)]);
    await recording.step();
    const { operator } = await signedIn(service);
    const listChanges = () => collecting.succeed('inventory.change.list');
    await eventually(async () => (await listChanges()).items.length > 0, withinMs);
    const stage: Stage = {
      service,
      recording,
      receiver,
      confirming,
      operator,
      partner: await service.partner({ name, settlement: 'card', quotas, reservationsPerDay: 50 }),
      collecting,
    };
    const events = await play(stage);
    recording.add('events', {}, { status: 200, body: events });
    await recordRefusal(stage);
    const { events: feed, ...calls } = await recording.operations();
    const shown = Object.groupBy(feed!.replies[200] as Event[], ({ type }) => type);
    const types = Object.keys(eventTypes) as EventType[];
    return { calls, events: Object.fromEntries(types.map((type) => [type, shown[type]![0]!])) };
  } finally {
    confirming.open();
    await receiver.close();
    await service.stop();
  }
}
