/** The calls and queries of the pages about reservations, checkouts and payments. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type {
  OperatorBodyOf,
  OperatorOperationId,
  OperatorQueryOf,
  OperatorReplyOf,
} from '#contract/operator/operations.ts';
import { call } from './call.ts';
import type { FilterOf } from './types.ts';

type ResponseOf<Id extends OperatorOperationId> = OperatorReplyOf<Id>['body'];

export type DaySheet = ResponseOf<'operator.daySheet.get'>;
export type FirstOfDaySheet = ResponseOf<'operator.daySheet.first'>;
export type Overview = ResponseOf<'operator.overview.get'>;
type ReservationPage = ResponseOf<'operator.reservation.list'>;
export type ListedReservation = ReservationPage['items'][number];
export type ReservationFilter = FilterOf<'operator.reservation.list'>;
export type Reservation = ResponseOf<'operator.reservation.get'>;
export type Cancellation = ResponseOf<'operator.reservation.cancel'>;
export type CancellationInput = OperatorBodyOf<'operator.reservation.previewCancel'>;
export type CreatedReservation = ResponseOf<'operator.reservation.create'>;
export type NewReservation = OperatorBodyOf<'operator.reservation.create'>;
export type FreeHome = ResponseOf<'operator.reservation.freeHomes'>['items'][number];
export type FreeHomesInput = OperatorQueryOf<'operator.reservation.freeHomes'>;
export type Change = ResponseOf<'operator.reservation.change'>;
export type ChangeInput = OperatorBodyOf<'operator.reservation.previewChange'>;
type UncertainPage = ResponseOf<'operator.checkout.list'>;
export type UncertainCheckout = UncertainPage['items'][number];
export type Checkout = ResponseOf<'operator.checkout.get'>;
type CheckoutChoice = { [Name in 'applicationId' | 'kind']?: string | undefined };
export type Resolution = ResponseOf<'operator.checkout.resolve'>;
export type ResolutionInput = OperatorBodyOf<'operator.checkout.previewResolve'>;
type PaymentPage = ResponseOf<'operator.payment.list'>;
export type PaymentAccount = PaymentPage['items'][number];
export type PaymentFilter = FilterOf<'operator.payment.list'>;
export type PaymentInFull = ResponseOf<'operator.payment.get'>;
export type Refund = ResponseOf<'operator.payment.refund'>;
type Differences = ResponseOf<'operator.payment.reconcile'>;
export type PaymentDifference = Differences['differences'][number];
type RefundInput = OperatorBodyOf<'operator.payment.previewRefund'>;
type ReduceInput = OperatorBodyOf<'operator.payment.previewReduce'>;
export type MoneyRecord = ResponseOf<'operator.payment.record'>;
export type RecordInput = OperatorBodyOf<'operator.payment.previewRecord'>;
export type MoneyReturn = ResponseOf<'operator.payment.recordReturn'>;
type ReturnInput = OperatorBodyOf<'operator.payment.previewRecordReturn'>;
/** With the reason of staff, as everything that changes something. */
type Reasoned<Input> = Input & { reason: string };

export const reservations = {
  previewCancel: (reference: string, body: CancellationInput) =>
    call('POST', '/reservations/{reference}/cancel/preview', { params: { reference }, body }),
  cancel: (reference: string, body: Reasoned<CancellationInput>) =>
    call('POST', '/reservations/{reference}/cancel', { params: { reference }, body }),
  previewCreate: (body: OperatorBodyOf<'operator.reservation.previewCreate'>) =>
    call('POST', '/reservations/preview', { body }),
  create: (body: NewReservation) => call('POST', '/reservations', { body }),
  previewChange: (reference: string, body: ChangeInput) =>
    call('POST', '/reservations/{reference}/change/preview', { params: { reference }, body }),
  change: (reference: string, body: Reasoned<ChangeInput>) =>
    call('POST', '/reservations/{reference}/change', { params: { reference }, body }),
  addNote: (reference: string, text: string) =>
    call('POST', '/reservations/{reference}/notes', { params: { reference }, body: { text } }),
  removeNote: (reference: string, noteId: string) =>
    call('DELETE', '/reservations/{reference}/notes/{noteId}', { params: { reference, noteId } }),
  previewResolve: (checkoutId: string, body: ResolutionInput) =>
    call('POST', '/checkouts/{checkoutId}/resolve/preview', { params: { checkoutId }, body }),
  resolve: (checkoutId: string, body: Reasoned<ResolutionInput>) =>
    call('POST', '/checkouts/{checkoutId}/resolve', { params: { checkoutId }, body }),
  previewRefund: (reference: string, body: RefundInput) =>
    call('POST', '/payments/{reference}/refund/preview', { params: { reference }, body }),
  refund: (reference: string, body: Reasoned<RefundInput>) =>
    call('POST', '/payments/{reference}/refund', { params: { reference }, body }),
  link: (reference: string) =>
    call('POST', '/payments/{reference}/link', { params: { reference } }),
  previewReduce: (reference: string, body: ReduceInput) =>
    call('POST', '/payments/{reference}/reduce/preview', { params: { reference }, body }),
  reduce: (reference: string, body: Reasoned<ReduceInput>) =>
    call('POST', '/payments/{reference}/reduce', { params: { reference }, body }),
  previewRecord: (reference: string, body: RecordInput) =>
    call('POST', '/payments/{reference}/records/preview', { params: { reference }, body }),
  record: (reference: string, body: Reasoned<RecordInput>) =>
    call('POST', '/payments/{reference}/records', { params: { reference }, body }),
  previewReturn: (checkoutId: string, body: ReturnInput) =>
    call('POST', '/checkouts/{checkoutId}/returns/preview', { params: { checkoutId }, body }),
  recordReturn: (checkoutId: string, body: Reasoned<ReturnInput>) =>
    call('POST', '/checkouts/{checkoutId}/returns', { params: { checkoutId }, body }),
  closeEffect: (effectId: string, reason: string) =>
    call('POST', '/restores/effects/{effectId}/close', { params: { effectId }, body: { reason } }),
  stop: (reference: string, reason: string) =>
    call('POST', '/payments/{reference}/stop', { params: { reference }, body: { reason } }),
  start: (reference: string, reason: string) =>
    call('POST', '/payments/{reference}/start', { params: { reference }, body: { reason } }),
  exportLedger: (from: string, to: string) =>
    call('GET', '/payments/export', { query: { from, to } }),
  payouts: (query: { from: string; to: string }) => call('GET', '/payments/payouts', { query }),
  reconcile: (since: string) => call('POST', '/payments/reconcile', { body: { since } }),
} as const;

const pageSize = 25;
const interval = 5_000;

export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: ({ signal }) => call('GET', '/overview', { signal }),
  refetchInterval: 2 * interval,
});

export const reservationsQuery = (filter: ReservationFilter) =>
  queryOptions({
    queryKey: ['reservations', filter],
    queryFn: ({ signal }) =>
      call('GET', '/reservations', { query: { ...filter, limit: pageSize }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: interval,
  });

/** The homes to which a reservation could move. */
export const freeHomesQuery = (reference: string, stay: FreeHomesInput) =>
  queryOptions({
    queryKey: ['free homes', reference, stay],
    queryFn: ({ signal }) =>
      call('GET', '/reservations/{reference}/free-homes', {
        params: { reference },
        query: stay,
        signal,
      }),
    placeholderData: keepPreviousData,
    retry: false,
  });

export const reservationQuery = (reference: string) =>
  queryOptions({
    queryKey: ['reservation', reference],
    queryFn: ({ signal }) =>
      call('GET', '/reservations/{reference}', { params: { reference }, signal }),
    refetchInterval: interval,
  });

export const uncertainQuery = (cursor: string | undefined) =>
  queryOptions({
    queryKey: ['checkouts', cursor],
    queryFn: ({ signal }) =>
      call('GET', '/checkouts', { query: { cursor, limit: pageSize }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: interval,
  });

export const checkoutQuery = (checkoutId: string, choice: CheckoutChoice) =>
  queryOptions({
    queryKey: ['checkout', checkoutId, choice],
    queryFn: ({ signal }) =>
      call('GET', '/checkouts/{checkoutId}', { params: { checkoutId }, query: choice, signal }),
    // Each read asks the supply and the card provider.
    refetchInterval: 3 * interval,
  });

export const firstOfDaySheetQuery = (date: string) =>
  queryOptions({
    queryKey: ['day-sheet', 'first', date],
    queryFn: ({ signal }) => call('GET', '/day-sheet/first', { query: { date }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 6 * interval,
  });

export const daySheetQuery = (date: string) =>
  queryOptions({
    queryKey: ['day-sheet', 'whole', date],
    queryFn: ({ signal }) => call('GET', '/day-sheet', { query: { date }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 6 * interval,
  });

export const paymentsQuery = (filter: PaymentFilter) =>
  queryOptions({
    queryKey: ['payments', filter],
    queryFn: ({ signal }) =>
      call('GET', '/payments', { query: { ...filter, limit: pageSize }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: interval,
  });

export const paymentQuery = (reference: string) =>
  queryOptions({
    queryKey: ['payment', reference],
    queryFn: ({ signal }) =>
      call('GET', '/payments/{reference}', { params: { reference }, signal }),
    refetchInterval: interval,
  });
