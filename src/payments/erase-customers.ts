/** Deletes the customers of erased guests at the card provider: an effect of its own, repeated until it is done. */
import type { Log } from '../platform/log.ts';
import { askPort } from '../bookings/index.ts';
import { startLoop } from '../platform/loop.ts';
import type { Executor } from '../platform/postgres/database.ts';
import type { CardProvider, CustomerOfGuest } from './ports/card-provider.ts';
import { claimCustomerErasures, endCustomerErasure } from './store/customer-erasures.ts';

interface CustomerErasureContext {
  executor: Executor;
  provider: CardProvider;
  log: Pick<Log, 'warn'>;
}

const roundMs = 5_000;
const atOnce = 8;
// Longer than a call of the provider may take.
const leaseSeconds = 30;
const askedMs = 10_000;

async function eraseOne(
  { executor, provider }: Pick<CustomerErasureContext, 'executor' | 'provider'>,
  customer: CustomerOfGuest,
): Promise<boolean> {
  const { outcome } = await askPort(askedMs, (signal) =>
    provider.deleteCustomers(customer, signal),
  );
  if (outcome !== 'done') return false;
  await endCustomerErasure(executor, customer);
  return true;
}

/** Deletes the customers of one checkout now. False: the provider does not answer; a worker repeats it. */
export async function eraseCustomersNow(
  executor: Executor,
  provider: CardProvider,
  checkout: { applicationId: string; checkoutId: string },
): Promise<boolean> {
  const [claim] = await claimCustomerErasures(executor, 1, leaseSeconds, checkout);
  return claim !== undefined && eraseOne({ executor, provider }, claim);
}

/** Starts the worker that deletes customers. Any number of processes may run one. */
export const startCustomerErasures = ({ executor, provider, log }: CustomerErasureContext) =>
  startLoop({
    name: 'erase customers',
    everyMs: roundMs,
    log,
    async work() {
      for (const claim of await claimCustomerErasures(executor, atOnce, leaseSeconds)) {
        const { applicationId, checkoutId } = claim;
        if (await eraseOne({ executor, provider }, claim)) continue;
        log.warn({ applicationId, checkoutId }, 'customer not deleted; tried again later');
      }
    },
  });
