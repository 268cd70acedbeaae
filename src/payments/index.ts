export { createCardPayments } from './card-payments.ts';
export type { CardProvider } from './ports/card-provider.ts';
export { wakePayment } from './wake.ts';
