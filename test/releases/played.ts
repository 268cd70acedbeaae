/** One program of a partner, played against a release, and how its responses are compared with those of another. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { OperationId } from '../../src/contract/partner/operations.ts';
import { eventually } from '../harness/eventually.ts';
import {
  daysAhead,
  guest,
  type CallInput,
  type CallReply,
  type Partner,
} from '../harness/partner.ts';

/** A response, with what no two runs have in common replaced. */
export interface Played {
  call: string;
  status: number;
  headers: Record<string, string | null>;
  body: unknown;
}

const keptHeaders = ['content-type', 'cache-control', 'location', 'retry-after'] as const;

// Members that are secrets, opaque, or words for people.
const opaque: ReadonlySet<string> = new Set([
  'sessionCapability',
  'requestId',
  'clientSecret',
  'setupReference',
  'nextCursor',
  'message',
  'version of terms',
]);

const names =
  /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|LK-[0-9A-Z]{4}-[0-9A-Z]{4}|evt_[0-9a-f]{32}/g;
const instant = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** Replaces names by the order in which they appear, and instants and secrets by a word. */
function comparable(known: Map<string, string>, value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => comparable(known, item, key));
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([name, member]) => {
      const as = key === 'terms' && name === 'version' ? 'version of terms' : name;
      return [name, comparable(known, member, as)];
    });
    return Object.fromEntries(entries) as unknown;
  }
  if (typeof value !== 'string') return value;
  if (opaque.has(key)) return '…';
  if (instant.test(value)) return 'an instant';
  return value.replaceAll(names, (name) =>
    known.getOrInsertComputed(name, () => `name ${known.size + 1}`),
  );
}

type Input = CallInput<OperationId>;

/** Plays calls and keeps what came back. */
class Recorder {
  readonly played: Played[] = [];
  readonly #known: Map<string, string>;
  readonly #partner: Partner;

  constructor(partner: Partner, known: Map<string, string>) {
    this.#partner = partner;
    this.#known = known;
  }

  async call<Id extends OperationId>(id: Id, input: object = {}): Promise<CallReply> {
    const reply = await this.#partner.call(id, input as Input as CallInput<Id>);
    const headers = Object.fromEntries(
      keptHeaders.map((name) => {
        const value = reply.headers.get(name);
        return [name, value && (comparable(this.#known, value) as string)];
      }),
    );
    const body = comparable(this.#known, reply.body);
    this.played.push({ call: id, status: reply.status, headers, body });
    return reply;
  }

  /** Calls until the body has what is waited for; keeps the last response only. */
  async until(
    id: OperationId,
    input: object,
    isOver: (body: never) => boolean,
  ): Promise<CallReply> {
    await eventually(async () => {
      const { body } = await this.#partner.call(id, input as Input);
      return isOver(body as never);
    }, 30_000);
    return this.call(id, input);
  }
}

const terms = ({ body }: CallReply): string =>
  (body as { terms: { version: string } }).terms.version;

const settled = ({ state }: { state: string }): boolean => state !== 'pending';

const isReady = ({ materialization }: { materialization: string }): boolean =>
  materialization === 'ready';

/** A quote of the stay; its ID. */
async function quoted(
  recorder: Recorder,
  stay: object,
): Promise<{ quoteId: string; version: string }> {
  const quoteId = randomUUID();
  const reply = await recorder.call('reservation.quote.create', { body: { quoteId, ...stay } });
  assert.equal(reply.status, 201, reply.text);
  return { quoteId, version: terms(reply) };
}

interface Opened {
  at: { params: { checkoutId: string }; session: string };
  version: string;
}

async function opened(recorder: Recorder, stay: object): Promise<Opened> {
  const { quoteId, version } = await quoted(recorder, stay);
  const checkoutId = randomUUID();
  const reply = await recorder.call('reservation.checkout.create', {
    body: { checkoutId, quoteId },
  });
  const { sessionCapability: session } = reply.body as { sessionCapability: string };
  return { at: { params: { checkoutId }, session }, version };
}

const submitting = (expectedVersion: number, termsVersion: string) => ({
  body: { expectedVersion, termsVersion, termsAccepted: true },
});

/** Everything that a partner-settled application does. */
async function settleBySelf(recorder: Recorder, stay: object): Promise<void> {
  const { at, version } = await opened(recorder, stay);
  await recorder.call('reservation.checkout.get', at);
  await recorder.call('reservation.checkout.saveGuest', {
    ...at,
    body: { expectedVersion: 1, guest: guest() },
  });
  const code = { expectedVersion: 2, code: 'WELCOME10' };
  await recorder.call('reservation.checkout.applyPromo', { ...at, body: code });
  await recorder.call('reservation.checkout.submit', { ...at, ...submitting(3, version) });
  await recorder.until('reservation.checkout.getStatus', at, settled);
  const confirmed = await recorder.until('reservation.checkout.getConfirmation', at, isReady);
  const { reference } = confirmed.body as { reference: string };
  await recorder.call('reservation.checkout.get', at);
  await recorder.call('reservation.reservation.get', { params: { reference } });
  for (const suffix of ['failed', 'sold_out', 'quote_expired', 'uncertain']) {
    const open = await opened(recorder, stay);
    const body = { expectedVersion: 1, guest: guest(suffix) };
    await recorder.call('reservation.checkout.saveGuest', { ...open.at, body });
    await recorder.call('reservation.checkout.submit', {
      ...open.at,
      ...submitting(2, open.version),
    });
    await recorder.until('reservation.checkout.getStatus', open.at, settled);
    await recorder.call('reservation.checkout.get', open.at);
  }
  const { quoteId, version: termsVersion } = await quoted(recorder, stay);
  const reservationRequestId = randomUUID();
  const request = {
    reservationRequestId,
    quoteId,
    termsVersion,
    termsAccepted: true,
    guest: guest(),
    partnerReference: 'order 1',
  };
  await recorder.call('reservation.reservationRequest.create', { body: request });
  const params = { reservationRequestId };
  await recorder.until('reservation.reservationRequest.get', { params }, settled);
  await recorder.call('reservation.reservationRequest.list', {
    query: { partnerReference: 'order 1' },
  });
}

/** Every kind of refusal. */
async function refused(recorder: Recorder, stay: { listingId: string }): Promise<void> {
  const nowhere = { params: { listingId: randomUUID() } };
  await recorder.call('distribution.listing.get', nowhere);
  await recorder.call('distribution.site.get', { token: null });
  await recorder.call('distribution.site.get', { token: 'nonsense' });
  await recorder.call('distribution.listing.list', { query: 'limt=1' });
  const quote = (members: object) =>
    recorder.call('reservation.quote.create', {
      body: { quoteId: randomUUID(), ...stay, ...members },
    });
  await quote({ party: { adults: 99 } });
  await quote({ checkOut: '2027-02-30' });
  await quote({ adults: 2 });
  const { at, version } = await opened(recorder, stay);
  await recorder.call('reservation.checkout.get', { ...at, session: 'wrong' });
  await recorder.call('reservation.checkout.submit', { ...at, ...submitting(1, version) });
  const body = { expectedVersion: 7, guest: guest() };
  await recorder.call('reservation.checkout.saveGuest', { ...at, body });
  await recorder.call('reservation.checkout.setupPayment', { ...at, body: { expectedVersion: 1 } });
  await recorder.call('reservation.checkout.applyPromo', {
    ...at,
    body: { expectedVersion: 1, code: 'NOPE' },
  });
  await recorder.call('reservation.checkout.getConfirmation', at);
  await recorder.call('reservation.reservation.get', { params: { reference: 'LK-0000-0000' } });
}

/** What a card-paying application does otherwise. */
async function payByCard(recorder: Recorder, stay: object): Promise<void> {
  const { at, version } = await opened(recorder, stay);
  const body = { expectedVersion: 1, guest: guest() };
  await recorder.call('reservation.checkout.saveGuest', { ...at, body });
  await recorder.call('reservation.checkout.setupPayment', { ...at, body: { expectedVersion: 2 } });
  let setup: { version: number; setupReference: string } | undefined;
  type Shown = { version: number; paymentSetup: { state: string; setupReference: string } };
  await recorder.until(
    'reservation.checkout.get',
    at,
    ({ version: now, paymentSetup: { state, setupReference } }: Shown) => {
      setup = { version: now, setupReference };
      return state === 'ready';
    },
  );
  const { version: expectedVersion, setupReference } = setup!;
  const method = {
    expectedVersion,
    setupReference,
    paymentMethodId: 'pm_any',
    consentAccepted: true,
  };
  await recorder.call('reservation.checkout.verifyPayment', { ...at, body: method });
  await recorder.call('reservation.checkout.submit', {
    ...at,
    ...submitting(expectedVersion + 1, version),
  });
  await recorder.until('reservation.checkout.getStatus', at, settled);
  await recorder.until('reservation.checkout.getConfirmation', at, isReady);
  await recorder.call('reservation.reservationRequest.list');
}

/** What everybody reads. `homes` are compared, and one of them is booked. */
async function read(recorder: Recorder, homes: ReadonlySet<string>) {
  await recorder.call('distribution.site.get');
  for (const listingId of [...homes].slice(0, 20)) {
    await recorder.call('distribution.listing.get', { params: { listingId } });
  }
  const stay = { checkIn: daysAhead(45), checkOut: daysAhead(48), party: { adults: 2 } };
  const search = await recorder.call('distribution.listing.search', {
    body: { ...stay, limit: 50 },
  });
  // The homes that have changed since are not compared.
  recorder.played.pop();
  const { items } = search.body as { items: { listing: { listingId: string } }[] };
  const free = items.map(({ listing }) => listing.listingId).filter((id) => homes.has(id));
  assert.ok(free.length > 5, `${free.length} homes are free`);
  for (const listingId of free.slice(0, 8)) {
    const query = { startDate: stay.checkIn, endDate: daysAhead(75) };
    await recorder.call('inventory.calendar.get', { params: { listingId }, query });
    await quoted(recorder, { listingId, ...stay });
  }
  await recorder.call('cdp.signal.capture', {
    body: { signalId: randomUUID(), name: 'search_submitted', routeFamily: 'search' },
  });
  return { listingId: free[0]!, ...stay };
}

/** Plays the program against a release, as two applications. */
export async function play(
  partners: Readonly<Record<'card' | 'partner', Partner>>,
  homes: ReadonlySet<string>,
): Promise<Played[]> {
  const known = new Map<string, string>([...homes].map((id) => [id, id]));
  const all: Played[] = [];
  for (const settlement of ['partner', 'card'] as const) {
    const recorder = new Recorder(partners[settlement], known);
    const stay = await read(recorder, homes);
    if (settlement === 'partner') {
      await settleBySelf(recorder, stay);
      await refused(recorder, stay);
    } else await payByCard(recorder, stay);
    await recorder.call('reservation.event.list', { query: { limit: 50 } });
    all.push(...recorder.played);
  }
  return all;
}

/** Where a response has less than the one before, or something else; members that were added are no difference. */
export function lost(before: unknown, now: unknown, at = ''): string[] {
  if (Array.isArray(before)) {
    if (!Array.isArray(now) || now.length !== before.length) {
      return [`${at}: another list`];
    }
    return before.flatMap((item, index) => lost(item, now[index], `${at}/${index}`));
  }
  if (typeof before === 'object' && before !== null) {
    if (typeof now !== 'object' || now === null) return [`${at}: ${JSON.stringify(now)}`];
    return Object.entries(before).flatMap(([name, member]) =>
      lost(member, (now as Record<string, unknown>)[name], `${at}/${name}`),
    );
  }
  return before === now ? [] : [`${at}: ${JSON.stringify(before)} is ${JSON.stringify(now)}`];
}
