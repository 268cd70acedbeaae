export { createCardPayments } from './card-payments.ts';
export type { CardOnFile, CardProvider, PaymentRequest } from './ports/card-provider.ts';
export type { PaymentEventSource, PaymentNotice } from './ports/payment-events.ts';
export { stripeEvents } from './stripe/events.ts';
export { createStripeProvider, type StripeSettings } from './stripe/provider.ts';
export { startSettler, type Settler } from './settle/settler.ts';
export { ledgerMoney } from './staff/reservation-money.ts';
export { takePaymentNotice } from './take-notice.ts';
