/** Every kind of call that a session can make. */
import { checkoutKind, readKinds, type CheckoutCall, type ReadCall } from './checkouts.ts';
import { commandKinds, type CommandCall } from './commands.ts';
import {
  askChangeKind,
  changeKinds,
  listChangesKind,
  type AskChangeCall,
  type ChangeCall,
  type ListChangesCall,
} from './changes.ts';
import { calendarKind, type CalendarCall } from './browse.ts';
import type { ActKind, Kind } from './kind.ts';
import {
  operatorKinds,
  type BlockCall,
  type ChannelCall,
  type DecideChangeCall,
  type ImportCall,
  type StaffCall,
} from './operator.ts';
import {
  outsideKinds,
  type ListOutsideCall,
  type OutsideCall,
  type PutOutsideCall,
} from './outside.ts';
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
export type Call = PartnerCall | ActCall;

/** An act of the operator. */
export type ActCall =
  | ImportCall
  | BlockCall
  | ChannelCall
  | PutOutsideCall
  | OutsideCall
  | ListOutsideCall
  | DecideChangeCall
  | Extract<StaffCall, { does: 'cancelStay' }>
  | Extract<StaffCall, { does: 'changeStay' }>;

type PartnerCall =
  | QuoteCall
  | CheckoutCall
  | ReadCall
  | CommandCall
  | RequestCall
  | ReadRequestCall
  | ListRequestsCall
  | ReservationCall
  | AskChangeCall
  | ChangeCall
  | ListChangesCall
  | SignalCall
  | SearchCall
  | CalendarCall;

type KindTable = { [D in PartnerCall['does']]: Kind<Extract<PartnerCall, { does: D }>> } & {
  [D in ActCall['does']]: ActKind<Extract<ActCall, { does: D }>>;
};

const actKinds = { ...operatorKinds, ...outsideKinds };

const kinds = {
  quote: quoteKind,
  checkout: checkoutKind,
  ...readKinds,
  ...commandKinds,
  request: requestKind,
  readRequest: readRequestKind,
  listRequests: listRequestsKind,
  readReservation: reservationKind,
  askChange: askChangeKind,
  ...changeKinds,
  listChanges: listChangesKind,
  signal: signalKind,
  search: searchKind,
  calendar: calendarKind,
  ...actKinds,
} satisfies KindTable;

/** Whether a call is an act of the operator. */
export const isAct = (call: Call): call is ActCall => call.does in actKinds;

/** The kind of a call. */
export const kindOf = <C extends Call>({ does }: C): Kind<C> | ActKind<C> =>
  kinds[does] as unknown as Kind<C> | ActKind<C>;
