import { type Catalog, openCatalog } from '../../src/catalog/catalog.ts';
import { claimDueBookings, type Claim } from '../../src/bookings/store/booking-claims.ts';
import { believed } from '../../src/platform/clock.ts';
import type { Database } from '../../src/platform/postgres/database.ts';
import { createSimulatedPayment } from '../../src/simulation/card-provider.ts';
import type { Payment } from '../../src/bookings/ports/payment.ts';
import { reconcileEagerly } from '../../src/bookings/rules/reconcile.ts';
import { takeStep, type StepContext } from '../../src/bookings/worker/steps.ts';
import { createSimulatedSupply } from '../../src/simulation/supplier.ts';
import type { Supply } from '../../src/bookings/ports/supply.ts';
import { testBaseUrl } from './base-url.ts';

/** A worker that runs only when a test asks it to, so that pending bookings stay pending until then. */
export interface TestWorker {
  context: StepContext & { catalog: Catalog };
  /** Claims due bookings, as a worker would. */
  claim(leaseSeconds?: number): Promise<Claim[]>;
  /** Claims and processes due bookings until none is due. */
  runDue(): Promise<void>;
}

/** Wrappers of a test around the supply and payment ports. */
export interface Around {
  supply?: (real: Supply, database: Database) => Supply;
  payment?: (real: Payment) => Payment;
}

const asItIs = <T>(real: T): T => real;

/** Opens a test worker on this database. */
export async function openTestWorker(
  database: Database,
  { supply = asItIs, payment = asItIs }: Around = {},
): Promise<TestWorker> {
  const context: TestWorker['context'] = {
    executor: database,
    catalog: await openCatalog(database, { environment: 'simulation', baseUrl: testBaseUrl }),
    supply: supply(createSimulatedSupply(database), database),
    payment: payment(createSimulatedPayment(database)),
    reconcileInSeconds: reconcileEagerly,
    uncertainHours: null,
    clock: believed,
  };
  const claim = async (leaseSeconds = 15): Promise<Claim[]> =>
    (await claimDueBookings(database, 32, leaseSeconds)).claims;
  return {
    context,
    claim,
    async runDue() {
      for (let claims = await claim(); claims.length > 0; claims = await claim()) {
        for (const claimed of claims) await takeStep(context, claimed);
      }
    },
  };
}
