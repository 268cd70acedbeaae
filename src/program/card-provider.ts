import { noPayment, type Payment } from '../bookings/index.ts';
import type { CardPaymentSettings } from '../config/card-payments.ts';
import type { Environment } from '../contract/wire.ts';
import { type CardProvider, createCardPayments, createStripeProvider } from '../payments/index.ts';
import type { Database } from '../platform/postgres/database.ts';
import { createSimulatedPayment } from '../simulation/index.ts';

/** Opens the card provider of the settings. Null: there is none. */
export const openCardProvider = async (
  settings: CardPaymentSettings | null,
): Promise<CardProvider | null> => settings && createStripeProvider(settings);

/** The payment port of an environment. Without a card provider, card-paying applications are not served. */
export function paymentOf(
  environment: Environment,
  database: Database,
  provider: CardProvider | null,
): Payment {
  if (environment === 'simulation') return createSimulatedPayment(database);
  return provider ? createCardPayments({ executor: database, provider }) : noPayment;
}
