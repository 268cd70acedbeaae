export { createCardPayments } from './card-payments.ts';
export type { CardOnFile, CardProvider, PaymentRequest } from './ports/card-provider.ts';
export type { PaymentEventSource, PaymentNotice } from './ports/payment-events.ts';
export type { TryPage } from './ports/try-page.ts';
export { stripeEvents } from './stripe/events.ts';
export { createStripeProvider, type StripeSettings } from './stripe/provider.ts';
<<<<<<< HEAD
export { stripeTryPage } from './stripe/try-page.ts';
=======
export { startSettler, type Settler } from './settle/settler.ts';
export { ledgerMoney } from './staff/reservation-money.ts';
>>>>>>> money
export { takePaymentNotice } from './take-notice.ts';
