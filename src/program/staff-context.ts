import {
  createInventorySupply,
  noMoney,
  type StaffContext,
  type Supply,
} from '../bookings/index.ts';
import { paymentOf } from './card-provider.ts';
import { limits } from '../contract/limits.ts';
import type { Environment } from '../contract/wire.ts';
import { type CardProvider, ledgerMoney } from '../payments/index.ts';
import type { Database, Executor } from '../platform/postgres/database.ts';
import { createSimulatedSupply } from '../simulation/index.ts';
import { listDeliveriesOfEvents } from '../webhooks/index.ts';

const supplies: Readonly<Record<Environment, (executor: Executor) => Supply>> = {
  simulation: createSimulatedSupply,
  test: createInventorySupply,
  live: createInventorySupply,
};

/** The dependencies of what staff do with reservations, in this environment. */
export const staffContext = (
  database: Database,
  environment: Environment,
  wakeDeliverer: StaffContext['wakeDeliverer'],
  provider: CardProvider | null = null,
): StaffContext => ({
  database,
  supplyOn: supplies[environment],
  payment: paymentOf(environment, database, provider),
  money: environment === 'simulation' ? noMoney : ledgerMoney,
  listDeliveries: listDeliveriesOfEvents,
  uncertainHours: environment === 'simulation' ? null : limits.uncertainHours,
  wakeDeliverer,
});
