/** A guest who books, and the partner's program that calls for the guest, carefully: it repeats lost calls. */
import { isRefusal } from '../../../src/contract/errors.ts';
import type { Checkout } from '../../../src/bookings/rules/booking.ts';
import { DatabaseUnavailableError } from '../../../src/platform/postgres/database-errors.ts';
import type { CardName } from '../../harness/stripe/cards.ts';
import { readCheckout, runCommand, type Answer, type Command } from './api.ts';
import type { Simulation } from './run.ts';
import { KilledError } from './scheduler.ts';
import type { Due } from './system.ts';

/** What a guest does. */
export interface GuestPlan {
  card: CardName;
  due: Due;
  /** Arrival, in days from today. */
  inDays: number;
  submitsAtOnce: number;
  authenticates:
    | 'soon'
    | 'late'
    | 'never'
    | 'fails'
    | 'fails at first'
    | 'without verifying'
    /** The program says so although the guest did nothing. */
    | 'verifies only';
  /** The program sends a payment method with which the setup did not succeed. */
  sendsWrongMethod: boolean;
}

/** The last answer that the program got: it must stay true. */
export interface Seen {
  version: number;
  state: Checkout['state'];
  reference: string | null;
}

const finals: ReadonlySet<Checkout['state']> = new Set(['confirmed', 'failed', 'expired']);

const isFinal = (state: Checkout['state']): boolean => finals.has(state);

/** Compares an answer with what had been acknowledged when its call began. */
function acknowledge(
  { seen, problems }: Simulation,
  { bookingId, version, state, reference }: Checkout,
  before: Seen | undefined,
): void {
  if (version >= (seen.get(bookingId)?.version ?? 0)) {
    seen.set(bookingId, { version, state, reference });
  }
  if (!before) return;
  const isTrue =
    version === before.version
      ? state === before.state
      : version > before.version && !isFinal(before.state);
  if (!isTrue) problems.push(`${before.state} ${before.version}, then ${state} ${version}`);
}

const lostAtMost = 200;

/** Calls until there is an answer. */
async function called(
  simulation: Simulation,
  checkoutId: string,
  call: () => Promise<Answer>,
): Promise<Answer> {
  for (let lost = 0; ; lost += 1) {
    const before = simulation.seen.get(checkoutId);
    try {
      const answer = await call();
      if (!isRefusal(answer)) acknowledge(simulation, answer, before);
      if (!isRefusal(answer) || answer.refused !== 'unavailable') return answer;
    } catch (error) {
      const isLost = error instanceof KilledError || error instanceof DatabaseUnavailableError;
      if (!isLost || lost === lostAtMost) throw error;
    }
    await simulation.sleep(1_000);
  }
}

const read = (simulation: Simulation, checkoutId: string): Promise<Answer> =>
  called(simulation, checkoutId, () =>
    readCheckout(simulation.anyProcess(), simulation.applicationId, checkoutId),
  );

function send(
  simulation: Simulation,
  checkout: Checkout,
  command: Pick<Command, 'name' | 'card'>,
): Promise<Answer> {
  const { applicationId } = simulation;
  const { bookingId: checkoutId, version: expectedVersion } = checkout;
  return called(simulation, checkoutId, () => {
    const at = simulation.anyProcess();
    const claims = simulation.chance.happens(0.7);
    return runCommand(
      at,
      { ...command, applicationId, checkoutId, expectedVersion },
      claims ? (claim) => simulation.step(at, claim) : null,
    );
  });
}

const intervals = [1_000, 2_000, 5_000, 20_000, 60_000, 300_000] as const;

/** Reads until the checkout is as it should be. */
async function readUntil(
  simulation: Simulation,
  checkoutId: string,
  isEnough: (checkout: Checkout) => boolean,
): Promise<Checkout> {
  for (let reads = 0; ; reads += 1) {
    const checkout = await read(simulation, checkoutId);
    if (isRefusal(checkout)) throw new Error(`cannot read: ${checkout.refused}`);
    if (isEnough(checkout)) return checkout;
    await simulation.sleep(intervals[Math.min(reads, intervals.length - 1)]!);
  }
}

const setupsAtMost = 12;

/** Sets the payment up, again after a failure. Null: the quote has expired before. */
async function setUp(simulation: Simulation, checkoutId: string): Promise<Checkout | null> {
  for (let setups = 0; setups < setupsAtMost; setups += 1) {
    const before = await readUntil(simulation, checkoutId, () => true);
    if (before.state !== 'needs_payment') return null;
    await send(simulation, before, { name: 'setupPayment' });
    const begun = simulation.now;
    const answered = await readUntil(
      simulation,
      checkoutId,
      ({ paymentSetup }) => paymentSetup?.state !== 'pending' || simulation.now > begun + 60_000,
    );
    if (answered.state !== 'needs_payment') return null;
    if (answered.paymentSetup?.state === 'ready') return answered;
  }
  return null;
}

/** The guest fills in the card; the program sends the method. Null: the bank refuses the card, or it is too late. */
async function verify(
  simulation: Simulation,
  { card, sendsWrongMethod }: GuestPlan,
  checkout: Checkout,
): Promise<Checkout | null> {
  const { reference, clientSecret } = checkout.paymentSetup!;
  const sent = (paymentMethodId: string) =>
    send(simulation, checkout, {
      name: 'verifyPayment',
      card: { setupReference: reference!, paymentMethodId },
    });
  if (sendsWrongMethod) {
    const refused = await sent('pm_of_somebody_else');
    if (!isRefusal(refused)) simulation.problems.push('a wrong payment method was accepted');
  }
  const method = simulation.standIn.guest.confirmSetup(clientSecret!, card);
  if (method === null) return null;
  const answer = await sent(method);
  return isRefusal(answer) ? null : answer;
}

const authenticatesAfterMs: Readonly<Partial<Record<GuestPlan['authenticates'], number>>> = {
  late: 70 * 60_000,
  'verifies only': 25 * 60_000,
};

function authenticateAt(
  { standIn, authenticated }: Simulation,
  clientSecret: string,
  succeeds: boolean,
): void {
  const [payment = ''] = clientSecret.split('_secret');
  authenticated.add(payment);
  standIn.guest.authenticate(clientSecret, succeeds);
}

async function authenticate(
  simulation: Simulation,
  { authenticates }: GuestPlan,
  checkout: Checkout,
): Promise<void> {
  const { clientSecret, reference } = checkout.paymentSetup!;
  if (authenticates === 'never') return;
  await simulation.sleep(authenticatesAfterMs[authenticates] ?? 20_000);
  // A provider's form says so if the payment no longer waits for the guest.
  if (authenticates !== 'verifies only') {
    authenticateAt(simulation, clientSecret!, !authenticates.startsWith('fails'));
  }
  if (authenticates === 'without verifying') return;
  await send(simulation, checkout, {
    name: 'verifyPayment',
    card: { setupReference: reference!, paymentMethodId: checkout.paymentMethodId! },
  });
  if (authenticates !== 'fails at first') return;
  // The form is still open in the browser.
  await simulation.sleep(30_000);
  authenticateAt(simulation, clientSecret!, true);
}

/** Books from the payment setup to an outcome. */
export async function playGuest(
  simulation: Simulation,
  plan: GuestPlan,
  checkoutId: string,
): Promise<void> {
  const prepared = await setUp(simulation, checkoutId);
  const verified = prepared && (await verify(simulation, plan, prepared));
  if (verified?.state !== 'ready') return;
  const submits = Array.from({ length: plan.submitsAtOnce }, () =>
    send(simulation, verified, { name: 'submit' }),
  );
  await Promise.all(submits);
  for (;;) {
    const checkout = await readUntil(
      simulation,
      checkoutId,
      ({ state }) => isFinal(state) || state === 'requires_action' || state === 'ready',
    );
    if (checkout.state !== 'requires_action') return;
    await authenticate(simulation, plan, checkout);
    await readUntil(simulation, checkoutId, ({ version }) => version > checkout.version);
  }
}
