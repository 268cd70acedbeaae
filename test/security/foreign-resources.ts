/** How each operation names what can belong to another application. */
import { randomUUID } from 'node:crypto';
import type { OperationId } from '../../src/contract/partner/operations.ts';
import type { CallInput } from '../harness/partner.ts';

type Input = CallInput<OperationId>;

/** One way to name a resource. */
export interface Naming {
  /** What the test is called. */
  what: string;
  /** The owner's call about a resource of the same kind that does not exist. */
  absent(owner: Input): Input;
  /** The response to both. */
  response: 'not_found' | 'empty';
  /** The call of the owner itself, where its ordinary one names another thing. */
  owners?: (owner: Input, ids: OwnedIds) => Input;
}

/** What the owner has beside what its calls are about. */
export interface OwnedIds {
  quoteId: string;
  searchObservationId: string;
}

const inPath = (what: string, name: string, other: () => string = randomUUID): Naming => ({
  what,
  absent: (owner) => ({ ...owner, params: { ...owner.params, [name]: other() } }),
  response: 'not_found',
});

const bodyOf = ({ rawBody }: Input): object => JSON.parse(String(rawBody)) as object;

const withMembers = (owner: Input, members: object): Input => ({
  ...owner,
  rawBody: JSON.stringify({ ...bodyOf(owner), ...members }),
});

const inBody = (what: string, name: string): Naming => ({
  what,
  absent: (owner) => withMembers(owner, { [name]: randomUUID() }),
  response: 'not_found',
});

const joined = (what: 'quoteId' | 'searchObservationId', name: string): Naming => ({
  ...inBody(what, what),
  owners: (owner, ids) =>
    withMembers(owner, {
      signalId: randomUUID(),
      name,
      checkoutId: undefined,
      [what]: ids[what],
    }),
});

const reservation = inPath('reference', 'reference', () => 'LK-2222-2222');
const checkout = [inPath('checkoutId', 'checkoutId')];

// Everybody's: the catalog.
const shared: Naming[] = [];

/** The table of resources that can belong to another application. An operation without an entry does not compile. */
export const namings: Readonly<Record<OperationId, readonly Naming[]>> = {
  'distribution.site.get': shared,
  'distribution.listing.list': shared,
  'distribution.listing.get': shared,
  'distribution.listing.search': shared,
  'inventory.calendar.get': shared,
  'inventory.calendar.list': shared,
  'inventory.change.list': shared,
  'reservation.quote.create': shared,
  'reservation.checkout.create': [inBody('quoteId', 'quoteId')],
  'reservation.checkout.get': checkout,
  'reservation.checkout.saveGuest': checkout,
  'reservation.checkout.applyPromo': checkout,
  'reservation.checkout.removePromo': checkout,
  'reservation.checkout.setupPayment': checkout,
  'reservation.checkout.verifyPayment': checkout,
  'reservation.checkout.submit': checkout,
  'reservation.checkout.getStatus': checkout,
  'reservation.checkout.getConfirmation': checkout,
  'reservation.reservation.get': [reservation],
  'reservation.reservation.list': [],
  'reservation.reservationRequest.create': [inBody('quoteId', 'quoteId')],
  'reservation.reservationRequest.get': [inPath('reservationRequestId', 'reservationRequestId')],
  'reservation.reservationRequest.list': [
    {
      what: 'partnerReference',
      absent: (owner) => ({ ...owner, query: { partnerReference: `order-${randomUUID()}` } }),
      response: 'empty',
    },
  ],
  'reservation.change.request': [reservation],
  'reservation.change.get': [reservation, inPath('changeRequestId', 'changeRequestId')],
  'reservation.change.list': [
    {
      what: 'reference',
      absent: (owner) => ({ ...owner, query: { reference: 'LK-2222-2222' } }),
      response: 'empty',
    },
  ],
  'reservation.change.withdraw': [reservation, inPath('changeRequestId', 'changeRequestId')],
  'reservation.event.list': shared,
  'cdp.signal.capture': [
    inBody('checkoutId', 'checkoutId'),
    joined('quoteId', 'quote_viewed'),
    joined('searchObservationId', 'search_viewed'),
  ],
};
