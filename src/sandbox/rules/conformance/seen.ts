/** The calls of a scenario, as the service saw them. */
import type { OperationId } from '../../../contract/partner/operations.ts';
import { operations } from '../../../contract/partner/operations.ts';
import type { EpochMs } from '../../../contract/time.ts';

/** A call, with what a judge has to know of it. */
export interface SeenCall {
  requestId: string;
  at: EpochMs;
  endedAt: EpochMs;
  operation: OperationId | 'token';
  /** 0: the connection was ended. */
  status: number;
  code: string | null;
  reason: string | null;
  /** The quote, checkout or request that it creates or names. */
  id: string | null;
  /** Identifies its input; null: it has none. */
  digest: string | null;
  /** The scenario did something to it. */
  isPlayed: boolean;
  sent: {
    listingId?: string | undefined;
    checkIn?: string | undefined;
    checkOut?: string | undefined;
    adults?: number | undefined;
    quoteId?: string | undefined;
    termsVersion?: string | undefined;
    expectedVersion?: number | undefined;
  };
  got: {
    state?: string | undefined;
    version?: number | undefined;
    pollAfterSeconds?: number | undefined;
    total?: number | undefined;
    currency?: string | undefined;
    termsVersion?: string | undefined;
    /** The homes that a search has found. */
    listings?: readonly string[] | undefined;
  };
}

export type Calls = readonly SeenCall[];

const creates: ReadonlySet<string> = new Set<OperationId>([
  'reservation.checkout.create',
  'reservation.reservationRequest.create',
]);

const submissions: ReadonlySet<string> = new Set<OperationId>([
  'reservation.checkout.submit',
  'reservation.reservationRequest.create',
]);

const readers: ReadonlySet<string> = new Set<OperationId>([
  'reservation.checkout.get',
  'reservation.checkout.getStatus',
  'reservation.checkout.getConfirmation',
  'reservation.reservationRequest.get',
]);

/** Reads that find a booking without its ID. */
const finders: ReadonlySet<string> = new Set<OperationId>([
  'reservation.reservationRequest.list',
  'reservation.reservation.list',
]);

type Named = Pick<SeenCall, 'operation'>;

export const isQuote = ({ operation }: Named): boolean => operation === 'reservation.quote.create';
export const isSite = ({ operation }: Named): boolean => operation === 'distribution.site.get';
export const isSearch = ({ operation }: Named): boolean =>
  operation === 'distribution.listing.search';
export const isExchange = ({ operation }: Named): boolean => operation === 'token';
export const isSetup = ({ operation }: Named): boolean =>
  operation === 'reservation.checkout.setupPayment';
/** It makes a checkout or a request. */
export const isCreate = ({ operation }: Named): boolean => creates.has(operation);
/** It hands a booking over to be made. */
export const isSubmission = ({ operation }: Named): boolean => submissions.has(operation);
/** It reads a booking. */
export const isRead = ({ operation }: Named): boolean => readers.has(operation);

/** Whether a call reads the booking with an ID, or looks for it. */
export const isReadOf = (call: SeenCall, id: string | null): boolean =>
  finders.has(call.operation) || (isRead(call) && call.id === id);

/** Whether two calls are the same: operation, resource and input. */
export const isSame = (one: SeenCall, other: SeenCall): boolean =>
  one.operation === other.operation &&
  one.id === other.id &&
  one.digest === other.digest &&
  one.sent.expectedVersion === other.sent.expectedVersion;

/** Whether a call consumes a quota of searches. */
export const isOfSearchTier = ({ operation }: Named): boolean =>
  operation !== 'token' && operations[operation].tier === 'search';

/** The IDs that calls name, each once. */
export const idsOf = (calls: Calls): string[] => [
  ...new Set(calls.flatMap(({ id }) => (id === null ? [] : [id]))),
];

/** The calls that came after one. */
export const callsAfter = (calls: Calls, call: SeenCall): SeenCall[] =>
  calls.slice(calls.indexOf(call) + 1);
