/** The calls and queries of the pages about reservations, checkouts and payments. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type {
  OperatorBodyOf,
  OperatorOperationId,
  OperatorReplyOf,
} from '../../../../src/contract/operator/operations.ts';
import { callerOf, queryOf } from '../../base/api/call.ts';
import type { FilterOf } from './types.ts';

const call = callerOf('/operator/v1');

type ResponseOf<Id extends OperatorOperationId> = OperatorReplyOf<Id>['body'];

export type Overview = ResponseOf<'operator.overview.get'>;
type ReservationPage = ResponseOf<'operator.reservation.list'>;
export type ListedReservation = ReservationPage['items'][number];
export type ReservationFilter = FilterOf<'operator.reservation.list'>;
export type Reservation = ResponseOf<'operator.reservation.get'>;
export type Cancellation = ResponseOf<'operator.reservation.cancel'>;
export type CancellationInput = OperatorBodyOf<'operator.reservation.previewCancel'>;
export type Change = ResponseOf<'operator.reservation.change'>;
export type ChangeInput = OperatorBodyOf<'operator.reservation.previewChange'>;
type Note = ResponseOf<'operator.reservation.addNote'>;
type UncertainPage = ResponseOf<'operator.checkout.list'>;
export type UncertainCheckout = UncertainPage['items'][number];
export type Checkout = ResponseOf<'operator.checkout.get'>;
type CheckoutChoice = { [Name in 'applicationId' | 'kind']?: string | undefined };
export type Resolution = ResponseOf<'operator.checkout.resolve'>;
export type ResolutionInput = OperatorBodyOf<'operator.checkout.previewResolve'>;
type PaymentPage = ResponseOf<'operator.payment.list'>;
export type PaymentAccount = PaymentPage['items'][number];
export type PaymentFilter = FilterOf<'operator.payment.list'>;
export type PaymentFile = ResponseOf<'operator.payment.get'>;
export type Refund = ResponseOf<'operator.payment.refund'>;
type Differences = ResponseOf<'operator.payment.reconcile'>;
export type PaymentDifference = Differences['differences'][number];
type RefundInput = OperatorBodyOf<'operator.payment.previewRefund'>;
/** With the reason of staff, as everything that changes something. */
type Reasoned<Input> = Input & { reason: string };

const reservationPath = (reference: string): string =>
  `/reservations/${encodeURIComponent(reference)}`;
const checkoutPath = (checkoutId: string): string => `/checkouts/${encodeURIComponent(checkoutId)}`;
const paymentPath = (reference: string): string => `/payments/${encodeURIComponent(reference)}`;

export const reservations = {
  previewCancel: (reference: string, body: CancellationInput) =>
    call<Cancellation>('POST', `${reservationPath(reference)}/cancel/preview`, { body }),
  cancel: (reference: string, body: Reasoned<CancellationInput>) =>
    call<Cancellation>('POST', `${reservationPath(reference)}/cancel`, { body }),
  previewChange: (reference: string, body: ChangeInput) =>
    call<Change>('POST', `${reservationPath(reference)}/change/preview`, { body }),
  change: (reference: string, body: Reasoned<ChangeInput>) =>
    call<Change>('POST', `${reservationPath(reference)}/change`, { body }),
  addNote: (reference: string, text: string) =>
    call<Note>('POST', `${reservationPath(reference)}/notes`, { body: { text } }),
  removeNote: (reference: string, noteId: string) =>
    call<null>('DELETE', `${reservationPath(reference)}/notes/${noteId}`),
  previewResolve: (checkoutId: string, body: ResolutionInput) =>
    call<Resolution>('POST', `${checkoutPath(checkoutId)}/resolve/preview`, { body }),
  resolve: (checkoutId: string, body: Reasoned<ResolutionInput>) =>
    call<Resolution>('POST', `${checkoutPath(checkoutId)}/resolve`, { body }),
  previewRefund: (reference: string, body: RefundInput) =>
    call<Refund>('POST', `${paymentPath(reference)}/refund/preview`, { body }),
  refund: (reference: string, body: Reasoned<RefundInput>) =>
    call<Refund>('POST', `${paymentPath(reference)}/refund`, { body }),
  retry: (reference: string, reason: string) =>
    call<PaymentAccount>('POST', `${paymentPath(reference)}/retry`, { body: { reason } }),
  reconcile: (since: string) =>
    call<Differences>('POST', '/payments/reconcile', { body: { since } }),
} as const;

const pageSize = 25;
const interval = 5_000;

export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: ({ signal }) => call<Overview>('GET', '/overview', { signal }),
  refetchInterval: 2 * interval,
});

export const reservationsQuery = (filter: ReservationFilter) =>
  queryOptions({
    queryKey: ['reservations', filter],
    queryFn: ({ signal }) =>
      call<ReservationPage>('GET', `/reservations${queryOf({ ...filter, limit: pageSize })}`, {
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: interval,
  });

export const reservationQuery = (reference: string) =>
  queryOptions({
    queryKey: ['reservation', reference],
    queryFn: ({ signal }) => call<Reservation>('GET', reservationPath(reference), { signal }),
    refetchInterval: interval,
  });

export const uncertainQuery = (cursor: string | undefined) =>
  queryOptions({
    queryKey: ['checkouts', cursor],
    queryFn: ({ signal }) =>
      call<UncertainPage>('GET', `/checkouts${queryOf({ cursor, limit: pageSize })}`, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: interval,
  });

export const checkoutQuery = (checkoutId: string, choice: CheckoutChoice) =>
  queryOptions({
    queryKey: ['checkout', checkoutId, choice],
    queryFn: ({ signal }) =>
      call<Checkout>('GET', `${checkoutPath(checkoutId)}${queryOf(choice)}`, { signal }),
    // Each read asks the supply and the card provider.
    refetchInterval: 3 * interval,
  });

export const paymentsQuery = (filter: PaymentFilter) =>
  queryOptions({
    queryKey: ['payments', filter],
    queryFn: ({ signal }) =>
      call<PaymentPage>('GET', `/payments${queryOf({ ...filter, limit: pageSize })}`, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: interval,
  });

export const paymentQuery = (reference: string) =>
  queryOptions({
    queryKey: ['payment', reference],
    queryFn: ({ signal }) => call<PaymentFile>('GET', paymentPath(reference), { signal }),
    refetchInterval: interval,
  });
