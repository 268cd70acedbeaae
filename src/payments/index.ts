export { createCardPayments } from './card-payments.ts';
export type { CardOnFile, CardProvider, PaymentRequest } from './ports/card-provider.ts';
export { createStripeProvider, type StripeSettings } from './stripe/provider.ts';
export { wakePayment } from './wake.ts';
export { startSettler, type Settler } from './settle/settler.ts';
export { ledgerMoney } from './staff/reservation-money.ts';
