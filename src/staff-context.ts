import {
  createInventorySupply,
  noMoney,
  noPayment,
  type StaffContext,
  type Supply,
} from './bookings/index.ts';
import type { Environment } from './contract/wire.ts';
import { ledgerMoney } from './payments/index.ts';
import type { Database, Executor } from './platform/postgres/database.ts';
import { createSimulatedPayment, createSimulatedSupply } from './simulation/index.ts';
import { countDeliveriesOfEvents } from './webhooks/index.ts';

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
): StaffContext => ({
  database,
  supplyOn: supplies[environment],
  payment: environment === 'simulation' ? createSimulatedPayment(database.vault) : noPayment,
  money: environment === 'simulation' ? noMoney : ledgerMoney,
  countDeliveries: countDeliveriesOfEvents,
  wakeDeliverer,
});
