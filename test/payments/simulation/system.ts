/** The booking path with a card provider in one process: the real SQL, the real client, and a stand-in. */
import { AsyncLocalStorage } from 'node:async_hooks';
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { insertApplication } from '../../../src/access/store/applications.ts';
import { createInventorySupply } from '../../../src/bookings/ports/inventory-supply.ts';
import type { Quote } from '../../../src/bookings/rules/booking.ts';
import { reconcilePatiently } from '../../../src/bookings/rules/reconcile.ts';
import { insertCheckout } from '../../../src/bookings/store/bookings.ts';
import { insertQuote } from '../../../src/bookings/store/quotes.ts';
import type { StepContext } from '../../../src/bookings/worker/steps.ts';
import { openCatalog, type Catalog } from '../../../src/catalog/catalog.ts';
import { capabilities } from '../../../src/contract/scopes.ts';
import { createCardPayments } from '../../../src/payments/card-payments.ts';
import type { CardProvider } from '../../../src/payments/ports/card-provider.ts';
import { createStripeProvider } from '../../../src/payments/stripe/provider.ts';
import { usualRepeats } from '../../../src/payments/stripe/repeats.ts';
import { believed } from '../../../src/platform/clock.ts';
import type { Executor } from '../../../src/platform/postgres/database.ts';
import { dateText, dayNumber } from '../../../src/pricing/rules/calendar-date.ts';
import { priceStay } from '../../../src/pricing/rules/price-stay.ts';
import { onlyCatalog } from '../../harness/catalog.ts';
import { guest } from '../../harness/partner.ts';
import { standInFetch } from '../../harness/stripe/in-process.ts';
import type { StandIn } from '../../harness/stripe/stand-in.ts';
import { SimulatedProcess, type Scheduler } from './scheduler.ts';
import { beginning, createClockedDatabase, type ClockedDatabase } from './virtual-clock.ts';

/** What all runs share. */
export interface SharedSystem extends ClockedDatabase {
  catalog: Catalog;
  catalogId: string;
}

export async function openSharedSystem(): Promise<SharedSystem> {
  const clocked = await createClockedDatabase();
  const { database } = clocked;
  const catalog = await openCatalog(database, { environment: 'test', baseUrl: 'http://localhost' });
  return { ...clocked, catalog, catalogId: await onlyCatalog(database) };
}

/** When the deadline of a worker's calls ends, in the time of the simulation. */
export const stepDeadline = new AsyncLocalStorage<number>();

/** A process with a worker. Each statement and each call of the provider waits at a gate. */
export interface WorkerProcess {
  process: SimulatedProcess;
  executor: Executor;
  provider: CardProvider;
  context: StepContext;
}

/** Statements of a process. `look` is called after each, before any other step. */
export const gatedExecutor = (
  { database }: SharedSystem,
  scheduler: Scheduler,
  process: SimulatedProcess,
  look: () => Promise<void> | undefined = () => undefined,
): Executor => ({
  vault: database.vault,
  async query<R>(statement: Parameters<Executor['query']>[0], values?: readonly unknown[]) {
    await scheduler.gate(process, statement.name, true);
    const rows = await scheduler.answered(async () => {
      const answered = await database.query<R>(statement, values);
      await look();
      return answered;
    });
    await scheduler.gate(process, `${statement.name} done`, true);
    return rows;
  },
});

const gatedFetch =
  (
    standIn: StandIn,
    scheduler: Scheduler,
    process: SimulatedProcess,
    isTooLate: () => boolean,
  ): typeof fetch =>
  async (input, init) => {
    const name = `${init?.method} ${new URL(String(input)).pathname.replace(/_\d+/, '')}`;
    await scheduler.gate(process, name);
    // The deadline of the port has ended the call.
    if (isTooLate()) throw new TypeError('aborted');
    try {
      return await standInFetch(standIn)(input, init);
    } finally {
      await scheduler.gate(process, `${name} answered`);
    }
  };

/** Breaks a provider, to prove that the simulation notices. */
export type ChangeProvider = (provider: CardProvider) => CardProvider;

export async function startProcess(
  shared: SharedSystem,
  scheduler: Scheduler,
  standIn: StandIn,
  {
    name,
    change,
    now = shared.clock.now,
  }: { name: string; change: ChangeProvider; now?: () => number },
): Promise<WorkerProcess> {
  const process = new SimulatedProcess(name);
  const executor = gatedExecutor(shared, scheduler, process);
  const provider = await createStripeProvider(
    { secretKey: 'sk_test_standin', publishableKey: 'pk_test_standin', apiUrl: null },
    gatedFetch(standIn, scheduler, process, () => now() > (stepDeadline.getStore() ?? Infinity)),
    // Its delays take no time, and real time decides nothing.
    { ...usualRepeats, withinMs: Infinity, wait: () => scheduler.gate(process, 'repeat') },
  );
  const changed = change(provider);
  return {
    process,
    executor,
    provider: changed,
    context: {
      executor,
      catalog: shared.catalog,
      supply: createInventorySupply(executor),
      payment: createCardPayments({ executor, provider: changed }),
      reconcileInSeconds: reconcilePatiently,
      uncertainHours: 24,
      clock: believed,
    },
  };
}

const today = dayNumber(new Date(beginning).toISOString().slice(0, 10));
const ample = { read: 1000, search: 1000, write: 1000, signal: 1000 };

/** An application of its own for each run. */
export async function makeApplication({ database }: SharedSystem): Promise<string> {
  const applicationId = randomUUID();
  const grants = [...capabilities];
  const named = { applicationId, name: applicationId, settlement: 'card' as const };
  await insertApplication(database, { ...named, grants, quotas: ample });
  return applicationId;
}

/** When the amounts of a stay are due. */
export type Due = 'all now' | 'half now' | 'nothing now';

/** What a guest books. */
export interface Stay {
  due: Due;
  inDays: number;
}

function scheduleOf(due: Due, total: number): { dueNow: number; amounts: [number, number][] } {
  if (due === 'all now') return { dueNow: total, amounts: [[today, total]] };
  if (due === 'nothing now') return { dueNow: 0, amounts: [[today + 20, total]] };
  const dueNow = Math.floor(total / 2);
  return {
    dueNow,
    amounts: [
      [today, dueNow],
      [today + 20, total - dueNow],
    ],
  };
}

async function makeQuote(
  { database, catalog, catalogId }: SharedSystem,
  applicationId: string,
  { due, inDays }: Stay,
): Promise<Quote> {
  const sold = catalog.of(catalogId).listings[0];
  assert.ok(sold);
  const stay = { checkIn: today + inDays, checkOut: today + inDays + 3 };
  const party = { adults: 2, children: 0, infants: 0, pets: 0 };
  const charges = priceStay(sold.listing, stay, party, { today, adjustmentPercent: 0 });
  assert.ok(charges);
  const { dueNow, amounts } = scheduleOf(due, charges.total);
  const schedule = amounts.map(([day, amount]) => ({ dueOn: dateText(day), amount }));
  const quote = await insertQuote(
    database,
    {
      applicationId,
      quoteId: randomUUID(),
      listingId: sold.listing.listingId,
      checkIn: dateText(stay.checkIn),
      checkOut: dateText(stay.checkOut),
      party,
      charges: { ...charges, dueNow, schedule },
      terms: { version: sold.termsVersion, policies: [], cancellation: [] },
      promotion: null,
    },
    randomBytes(32),
    null,
  );
  assert.ok(quote);
  return quote;
}

/** Makes a checkout of nights of the only home, whose guest is saved. */
export async function makeCheckout(
  shared: SharedSystem,
  applicationId: string,
  stay: Stay,
): Promise<string> {
  const quote = await makeQuote(shared, applicationId, stay);
  const checkoutId = randomUUID();
  const made = await insertCheckout(
    shared.database,
    {
      applicationId,
      bookingId: checkoutId,
      quote,
      settlement: 'card',
      guest: guest(),
      charges: quote.charges,
      failureReason: null,
      failureDetails: null,
      partnerReference: null,
      reference: null,
      resolvedAt: null,
      kind: 'checkout',
      state: 'needs_payment',
      promotionCode: null,
      terms: quote.terms,
      paymentSetup: null,
      paymentMethodId: null,
    },
    randomBytes(32),
    randomBytes(16),
  );
  assert.ok(made);
  return checkoutId;
}
