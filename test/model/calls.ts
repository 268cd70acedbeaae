/** Every kind of call that a session can make. */
import { checkoutKind, readKinds, type CheckoutCall, type ReadCall } from './checkouts.ts';
import { commandKinds, type CommandCall } from './commands.ts';
import type { Kind } from './kind.ts';
import { quoteKind, type QuoteCall } from './quotes.ts';
import {
  listRequestsKind,
  readRequestKind,
  requestKind,
  type ListRequestsCall,
  type ReadRequestCall,
  type RequestCall,
} from './requests.ts';
import { reservationKind, type ReservationCall } from './reservations.ts';
import { searchKind, signalKind, type SearchCall, type SignalCall } from './signals.ts';

/** A call, as plain data: it can be sent again, printed and predicted. */
export type Call =
  | QuoteCall
  | CheckoutCall
  | ReadCall
  | CommandCall
  | RequestCall
  | ReadRequestCall
  | ListRequestsCall
  | ReservationCall
  | SignalCall
  | SearchCall;

type KindTable = { [D in Call['does']]: Kind<Extract<Call, { does: D }>> };

const kinds = {
  quote: quoteKind,
  checkout: checkoutKind,
  ...readKinds,
  ...commandKinds,
  request: requestKind,
  readRequest: readRequestKind,
  listRequests: listRequestsKind,
  readReservation: reservationKind,
  signal: signalKind,
  search: searchKind,
} satisfies KindTable;

/** The kind of a call. */
export const kindOf = <C extends Call>({ does }: C): Kind<C> =>
  kinds[does as keyof typeof kinds] as unknown as Kind<C>;
