/** One call of every operation that succeeds, on resources that its caller owns. */
import { randomUUID } from 'node:crypto';
import type { OperationId } from '../../src/contract/partner/operations.ts';
import type { TestWorker } from '../harness/test-worker.ts';
import {
  begin,
  journeyTo,
  operationOf,
  quoteOf,
  type Command,
  type Journey,
} from '../harness/journey.ts';
import { type CallInput, daysAhead, type Partner, requestOf } from '../harness/partner.ts';

/** A call, and whose it is. Sent again, it is a repeat and succeeds as well. */
export interface OwnCall {
  partner: Partner;
  input: CallInput<OperationId>;
}

/** The two applications that own what is called for. */
export interface Owners {
  card: Partner;
  settled: Partner;
}

const withBody = (body: object): CallInput<OperationId> => ({ rawBody: JSON.stringify(body) });

async function withSetup(card: Partner, testWorker: TestWorker): Promise<Journey> {
  const journey = await journeyTo('needs_payment', card, testWorker);
  await journey.done('setupPayment');
  await testWorker.runDue();
  await journey.read();
  return journey;
}

const commandStates: Record<Command, (card: Partner, testWorker: TestWorker) => Promise<Journey>> =
  {
    saveGuest: begin,
    applyPromo: begin,
    setupPayment: (card, testWorker) => journeyTo('needs_payment', card, testWorker),
    verifyPayment: withSetup,
    submit: (card, testWorker) => journeyTo('ready', card, testWorker),
  };

async function commandCalls(card: Partner, testWorker: TestWorker) {
  const calls = {} as Record<`reservation.checkout.${Command}`, OwnCall>;
  for (const command of Object.keys(commandStates) as Command[]) {
    const journey = await commandStates[command](card, testWorker);
    const input = { ...journey.open.at, ...withBody(journey.body(command)) };
    calls[operationOf(command)] = { partner: card, input };
  }
  const promoted = await journeyTo('needs_guest', card, testWorker);
  await promoted.done('applyPromo');
  const removal = { ...promoted.open.at, headers: { 'if-match': '"2"' } };
  return { ...calls, 'reservation.checkout.removePromo': { partner: card, input: removal } };
}

async function bookingCalls({ card, settled }: Owners, testWorker: TestWorker) {
  const [newQuote, used] = [await quoteOf(card), await quoteOf(settled)];
  const open = await begin(card);
  const confirmed = await journeyTo('confirmed', card, testWorker);
  const { reference = '' } = await confirmed.read();
  const { listingId, checkIn, checkOut } = newQuote;
  const partnerReference = `order-${randomUUID()}`;
  const request = requestOf(used, { partnerReference });
  const { reservationRequestId } = request;
  await settled.succeed('reservation.reservationRequest.create', withBody(request));
  const party = { adults: 2 };
  const ask = async (changeRequestId: string) => {
    const body = { changeRequestId, kind: 'cancel' };
    const rawBody = JSON.stringify(body);
    await card.succeed('reservation.change.request', { params: { reference }, rawBody });
    return body;
  };
  const withdrawn = await ask(randomUUID());
  await card.succeed('reservation.change.withdraw', {
    params: { reference, changeRequestId: withdrawn.changeRequestId },
  });
  const change = await ask(randomUUID());
  const { changeRequestId } = change;
  return {
    'reservation.quote.create': {
      partner: card,
      input: withBody({ quoteId: randomUUID(), listingId, checkIn, checkOut, party }),
    },
    'reservation.checkout.create': {
      partner: card,
      input: withBody({ checkoutId: randomUUID(), quoteId: newQuote.quoteId }),
    },
    'reservation.checkout.get': { partner: card, input: open.open.at },
    'reservation.checkout.getStatus': { partner: card, input: open.open.at },
    'reservation.checkout.getConfirmation': { partner: card, input: confirmed.open.at },
    'reservation.reservation.get': { partner: card, input: { params: { reference } } },
    'reservation.reservation.list': { partner: card, input: {} },
    'reservation.reservationRequest.create': { partner: settled, input: withBody(request) },
    'reservation.reservationRequest.get': {
      partner: settled,
      input: { params: { reservationRequestId } },
    },
    'reservation.reservationRequest.list': {
      partner: settled,
      input: { query: { partnerReference } },
    },
    'reservation.change.request': {
      partner: card,
      input: { params: { reference }, ...withBody(change) },
    },
    'reservation.change.get': { partner: card, input: { params: { reference, changeRequestId } } },
    'reservation.change.list': { partner: card, input: { query: { reference } } },
    'reservation.change.withdraw': {
      partner: card,
      input: { params: { reference, changeRequestId: withdrawn.changeRequestId } },
    },
    'reservation.event.list': { partner: card, input: {} },
    'cdp.signal.capture': {
      partner: card,
      input: {
        session: open.open.at.session,
        ...withBody({
          signalId: randomUUID(),
          name: 'checkout_started',
          routeFamily: 'checkout',
          checkoutId: open.checkoutId,
        }),
      },
    },
  } satisfies Partial<Record<OperationId, OwnCall>>;
}

/** Makes what the calls are about. */
export async function ownCalls(
  owners: Owners,
  testWorker: TestWorker,
): Promise<Record<OperationId, OwnCall>> {
  const { card } = owners;
  const { listingId, ...stay } = await card.freeStay();
  const dates = { startDate: daysAhead(10), endDate: daysAhead(20) };
  return {
    'distribution.site.get': { partner: card, input: {} },
    'distribution.listing.list': { partner: card, input: { query: { limit: 1 } } },
    'distribution.listing.get': { partner: card, input: { params: { listingId } } },
    'distribution.listing.search': { partner: card, input: withBody({ ...stay, limit: 1 }) },
    'inventory.calendar.get': { partner: card, input: { params: { listingId }, query: dates } },
    'inventory.calendar.list': {
      partner: card,
      input: withBody({ listingIds: [listingId], ...dates }),
    },
    'inventory.change.list': { partner: card, input: {} },
    ...(await bookingCalls(owners, testWorker)),
    ...(await commandCalls(card, testWorker)),
  };
}
