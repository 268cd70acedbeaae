export { createCardPayments } from './card-payments.ts';
export type { CardProvider } from './ports/card-provider.ts';
export { wakePayment } from './wake.ts';
export { startSettler, type Settler } from './settle/settler.ts';
export { ledgerMoney } from './staff/reservation-money.ts';
