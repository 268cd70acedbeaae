export { createCardPayments } from './card-payments.ts';
export type { CardOnFile, CardProvider, PaymentRequest } from './ports/card-provider.ts';
export type { PaymentEventSource, PaymentNotice } from './ports/payment-events.ts';
<<<<<<< HEAD
export type { TryPage } from './ports/try-page.ts';
export { startSettler } from './settle/settler.ts';
=======
export { startSettler, type Settler } from './settle/settler.ts';
>>>>>>> money
export { listPayments } from './staff/list-payments.ts';
export { reconcilePayments } from './staff/reconcile-payments.ts';
export { refundPayment } from './staff/refund-payment.ts';
export { ledgerMoney } from './staff/reservation-money.ts';
export { retryPayment } from './staff/retry-payment.ts';
export { showPayments } from './staff/show-payments.ts';
export { stripeEvents } from './stripe/events.ts';
export { createStripeProvider, type StripeSettings } from './stripe/provider.ts';
export { stripeTryPage } from './stripe/try-page.ts';
<<<<<<< HEAD
=======
export type { TryPage } from './ports/try-page.ts';
>>>>>>> money
export { takePaymentNotice } from './take-notice.ts';
