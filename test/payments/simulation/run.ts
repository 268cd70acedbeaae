/** One run: guests who book the same nights with cards, two processes, and what a seed lets go wrong. */
import { claimDueBookings, type Claim } from '../../../src/bookings/store/booking-claims.ts';
import { releaseAbandonedHolds } from '../../../src/bookings/store/nights.ts';
import { takeStep } from '../../../src/bookings/worker/steps.ts';
import { believed } from '../../../src/platform/clock.ts';
import { DatabaseUnavailableError } from '../../../src/platform/postgres/database-errors.ts';
import { type Chance, chanceOf } from '../../harness/chance.ts';
import { sql } from '../../harness/rows.ts';
import type { CardName } from '../../harness/stripe/cards.ts';
import type { PaymentIntent } from '../../harness/stripe/objects.ts';
import { type Fault, StandIn } from '../../harness/stripe/stand-in.ts';
import { leaseSeconds } from './api.ts';
import { collectAccount } from '../../../src/payments/collection/collect-account.ts';
import { returnPayment } from '../../../src/payments/returns/return-payment.ts';
import { claimAccounts } from '../../../src/payments/store/accounts.ts';
import { claimReturns } from '../../../src/payments/store/returns.ts';
import { takePaymentNotice } from '../../../src/payments/take-notice.ts';
import { differencesOf, movedAfterFailure } from './invariants.ts';
import { playLaterDays } from './later-days.ts';
import { playGuest, type GuestPlan, type Seen } from './guest.ts';
import { resolve, staffOf } from './staff.ts';
import { KilledError, Scheduler } from './scheduler.ts';
import {
  makeApplication,
  makeCheckout,
  startProcess,
  stepDeadline,
  type ChangeProvider,
  type SharedSystem,
  type WorkerProcess,
} from './system.ts';
import { beginning } from './virtual-clock.ts';

/** The result of a run. */
export interface Run {
  seed: number;
  /** Empty: everything was as it must be. */
  problems: string[];
  trace: readonly string[];
  /** Final states, with the reasons of failures. */
  outcomes: string[];
  /** The faults that happened. */
  faults: string[];
}

const providerFaults: readonly Fault[] = [
  '409',
  '429',
  '503',
  '500_before',
  '500_after',
  'cut_before',
  'cut_after',
  'late',
];
const cards: readonly CardName[] = [
  'pm_card_visa',
  'pm_card_visa',
  'pm_card_visa',
  'pm_card_chargeCustomerFail',
  'pm_card_authenticationRequired',
  'pm_card_authenticationRequired',
];
// What the operator does meanwhile, at some step.
const acts = {
  'changes the terms': `UPDATE quotes SET terms = (terms::jsonb || '{"version": "other"}')::json
    WHERE application_id = $1`,
  suspends: 'UPDATE applications SET suspended_at = now() WHERE application_id = $1',
} as const;

const stepAskingMs = 10_000;
const moneyLeaseSeconds = 30;
const moneyAskingMs = 15_000;
// Real timers must not end anything in a simulation.
const endlessMs = 100_000_000;
// A late effect arrives while somebody waits for it, after it was given up, or hours later.
const lateness = [20_000, 20_000, 600_000, 3 * 3_600_000] as const;
const outageMs = 30 * 3_600_000;
const stepsWithFaults = 400;
const actsBefore = 250;
const pauses = [1_000, 6_000, 16_000, 130_000] as const;
const dayMs = 86_400_000;
// The provider's clock, compared with the database's.
const skews = [0, 0, 3_000, dayMs, -dayMs] as const;
// A failover, or a correction, sets the database's clock.
const clockSteps = [-7_200_000, -90_000, -5_000, 5_000, 60_000, 180_000, 3_600_000] as const;

const planOf = (chance: Chance): GuestPlan => ({
  card: chance.pick(cards),
  due: chance.pick(['all now', 'half now', 'half now', 'nothing now']),
  submitsAtOnce: chance.pick([1, 1, 5]),
  authenticates: chance.pick([
    'soon',
    'soon',
    'late',
    'never',
    'fails',
    'fails at first',
    'without verifying',
    'verifies only',
  ]),
  sendsWrongMethod: chance.happens(0.15),
  inDays: chance.pick([40, 40, 50, 60]),
});

/** A run of one seed. */
export class Simulation {
  readonly chance: Chance;
  readonly scheduler: Scheduler;
  readonly standIn: StandIn;
  readonly problems: string[] = [];
  readonly seen = new Map<string, Seen>();
  applicationId = '';
  readonly checkoutIds: string[] = [];
  /** The outcomes that staff have seen. */
  readonly seenByStaff = new Map<string, string>();
  readonly #shared: SharedSystem;
  readonly #change: ChangeProvider;
  readonly #processes: WorkerProcess[] = [];
  #sleeping: { at: number; wake: () => void }[] = [];
  #active = 0;
  #steps = 0;
  #killShare: number;
  readonly #act: { at: number; text: string } | null;
  readonly #clockStep: { at: number; ms: number } | null;
  /** The step at which the provider stops to answer for longer than an outcome may be open. */
  readonly #outageAt: number | null;
  #outageEnds: number | null = null;
  readonly #deliversEvents: boolean;
  /** By checkout: what had moved at the provider when it had failed and nothing was in progress. */
  readonly movedByFailure = new Map<string, number>();
  /** The payments that guests have authenticated. */
  readonly authenticated = new Set<string>();
  /** By how much all other clocks are ahead of the database's. */
  #skew: number;

  constructor(shared: SharedSystem, seed: number, change: ChangeProvider) {
    this.#shared = shared;
    this.#change = change;
    this.chance = chanceOf(seed);
    this.scheduler = new Scheduler(this.chance);
    const share = this.chance.pick([0, 0.05, 0.15, 0.3]);
    this.scheduler.faults = { database: this.chance.pick([0, 0.01, 0.05]) };
    this.#killShare = this.chance.pick([0, 0.01, 0.03]);
    const act = this.chance.pick([null, null, null, null, ...Object.values(acts)]);
    this.#act = act && { at: this.chance.below(actsBefore), text: act };
    const step = this.chance.pick([null, null, ...clockSteps]);
    this.#clockStep = step && { at: this.chance.below(actsBefore), ms: step };
    this.#skew = this.chance.pick(skews);
    this.#outageAt = this.chance.happens(0.04) ? this.chance.below(actsBefore) : null;
    this.#deliversEvents = this.chance.happens(0.5);
    this.standIn = new StandIn({
      // No two runs on one database use the same names.
      firstNumber: seed * 1_000,
      now: () => this.now,
      random: () => this.chance.next(),
      lateMs: () => this.chance.pick(lateness),
      faultOf: () => (this.chance.happens(share) ? this.chance.pick(providerFaults) : null),
    });
  }

  /** The provider's event arrives, or is lost. */
  #deliver(providerReference: string, paymentId: string | null): void {
    if (this.chance.happens(0.3)) return;
    this.spawn(async () => {
      await takePaymentNotice(this.anyProcess().executor, {
        eventReference: `${providerReference} ${this.#steps}`,
        providerReference,
        paymentId,
        refund: null,
        dispute: null,
      });
    });
  }

  /** The time by all clocks but the database's. */
  get skew(): number {
    return this.#skew;
  }

  get now(): number {
    return this.#shared.clock.now() + this.#skew;
  }

  async #stepClock(ms: number): Promise<void> {
    await this.#shared.clock.set(this.#shared.clock.now() + ms);
    this.#skew -= ms;
  }

  /** Begins work that may be killed or lose the database. */
  spawn(work: () => Promise<void>): void {
    this.#active += 1;
    void work()
      .catch((error: unknown) => {
        const isExpected =
          error instanceof KilledError || error instanceof DatabaseUnavailableError;
        if (!isExpected)
          this.problems.push(`${error instanceof Error ? error.stack : String(error)}`);
      })
      .finally(() => {
        this.#active -= 1;
      });
  }

  /** Any process that runs. */
  anyProcess(): WorkerProcess {
    return this.chance.pick(this.#processes);
  }

  sleep(ms: number): Promise<void> {
    return new Promise((wake) => this.#sleeping.push({ at: this.now + ms, wake }));
  }

  /** Runs the step of a claimed booking in its process. */
  step(at: WorkerProcess, claim: Claim): void {
    this.spawn(() =>
      stepDeadline.run(this.now + stepAskingMs, async () => {
        await takeStep(at.context, claim, endlessMs);
      }),
    );
  }

  #poll(at: WorkerProcess): void {
    this.spawn(async () => {
      const { claims, unreadable } = await claimDueBookings(at.executor, 32, leaseSeconds);
      for (const { error } of unreadable) this.problems.push(String(error));
      for (const claim of claims) this.step(at, claim);
    });
    const context = {
      executor: at.executor,
      provider: at.provider,
      askedMs: endlessMs,
      clock: believed,
    };
    this.spawn(async () => {
      for (const claim of await claimReturns(at.executor, 8, moneyLeaseSeconds)) {
        this.#moneyStep(() => returnPayment(context, claim));
      }
    });
    this.spawn(async () => {
      for (const claim of await claimAccounts(at.executor, 8, moneyLeaseSeconds)) {
        this.#moneyStep(() => collectAccount(context, claim));
      }
    });
  }

  #moneyStep(step: () => Promise<unknown>): void {
    this.spawn(() =>
      stepDeadline.run(this.now + moneyAskingMs, async () => {
        await step();
      }),
    );
  }

  async #advance(ms: number): Promise<void> {
    await this.#shared.clock.set(this.#shared.clock.now() + ms);
    this.standIn.finishLate();
    const due = this.#sleeping.filter(({ at }) => at <= this.now);
    this.#sleeping = this.#sleeping.filter(({ at }) => at > this.now);
    for (const { wake } of due) wake();
  }

  /** Goes on to the next time at which something happens. False: nothing will. */
  async #advanceToNext(): Promise<boolean> {
    const [row] = await sql<{ due: number | null }>(
      this.#shared.database,
      `SELECT least(
          (SELECT min(due_at) FROM bookings WHERE application_id = $1),
          (SELECT min(r.due_at) FROM payment_returns r JOIN payment_intents i USING (payment_id)
            WHERE i.application_id = $1),
          -- Later instalments belong to later days.
          (SELECT min(due_at) FROM payment_accounts
            WHERE application_id = $1 AND due_at < now() + interval '1 day')) AS due`,
      [this.applicationId],
    );
    // Nothing is in progress now.
    this.problems.push(...(await movedAfterFailure(this.#shared.database, this)));
    const times = this.#sleeping.map(({ at }) => at);
    if (row?.due) times.push(row.due + this.#skew);
    if (times.length === 0) return false;
    // The database has microseconds.
    await this.#advance(Math.max(0, Math.min(...times) - this.now) + 1);
    for (const at of this.#processes) this.#poll(at);
    return true;
  }

  /** Staff resolve a checkout whose outcome is not known, rightly or not. */
  async #resolve(): Promise<void> {
    const { chance } = this;
    const rows = await sql<{ id: string }>(
      this.#shared.database,
      `SELECT booking_id AS id FROM bookings WHERE application_id = $1 AND state = 'uncertain'
        ORDER BY created_at`,
      [this.applicationId],
    );
    if (rows.length === 0) return;
    const { id } = chance.pick(rows);
    // Two members of staff may decide at once.
    for (let deciding = chance.pick([1, 1, 2]); deciding > 0; deciding -= 1) this.#decide(id);
  }

  #decide(id: string): void {
    const { chance } = this;
    const as = chance.pick(['confirmed', 'failed'] as const);
    const staff = staffOf(this.#shared, this.scheduler, this.anyProcess(), chance);
    this.spawn(() =>
      stepDeadline.run(this.now + stepAskingMs, async () => {
        const state = await resolve(staff, id, as);
        if (state === null) return this.#checkRefused(id, as);
        if (state !== as) this.problems.push(`${id} was resolved as ${as} and is ${state}`);
        this.seenByStaff.set(id, as);
      }),
    );
  }

  /** "It was not made" can be decided at any time, also while the provider does not answer. */
  async #checkRefused(id: string, as: 'confirmed' | 'failed'): Promise<void> {
    if (as === 'confirmed') return;
    const text = 'SELECT state FROM bookings WHERE booking_id = $1';
    const [booking] = await sql<{ state: string }>(this.#shared.database, text, [id]);
    if (booking?.state !== 'uncertain') return;
    this.problems.push(`${id} is uncertain, and staff could not decide that it was not made`);
  }

  async #restart(): Promise<void> {
    const index = this.chance.below(this.#processes.length);
    const { process } = this.#processes[index]!;
    await this.scheduler.kill(process);
    this.#processes[index] = await this.#start(`${process.name.slice(0, 1)}${this.#steps}`);
  }

  #start(name: string): Promise<WorkerProcess> {
    const named = { name, change: this.#change, now: () => this.now };
    return startProcess(this.#shared, this.scheduler, this.standIn, named);
  }

  async #next(): Promise<boolean> {
    await this.scheduler.quiet();
    const { chance } = this;
    if (this.scheduler.waiting === 0) return this.#advanceToNext();
    if (chance.happens(this.#killShare)) await this.#restart();
    else if (chance.happens(0.02)) await this.#advance(chance.pick(pauses));
    else if (chance.happens(0.03)) this.#poll(this.anyProcess());
    else if (this.#steps < stepsWithFaults && chance.happens(0.025)) await this.#resolve();
    else await this.scheduler.release();
    return true;
  }

  /** From now on the provider answers nothing, for more than a day. */
  #beginOutage(): void {
    this.#outageEnds = this.now + outageMs;
    const { faultOf } = this.standIn;
    this.standIn.faultOf = (call) => {
      if (this.now < this.#outageEnds!) return this.chance.pick(['503', 'cut_before', 'cut_after']);
      return faultOf(call);
    };
  }

  /** Everything goes well from now on; an outage that has begun lasts to its end. */
  #endFaults(): void {
    const ends = this.#outageEnds ?? -Infinity;
    this.scheduler.faults = { database: 0 };
    this.#killShare = 0;
    this.standIn.faultOf = () => (this.now < ends ? '503' : null);
  }

  async play(stepsAtMost: number): Promise<void> {
    const { chance } = this;
    await this.#shared.clock.set(beginning);
    this.applicationId = await makeApplication(this.#shared);
    if (this.#deliversEvents) {
      this.standIn.onEvent = ({ type, data: { object } }) => {
        if (!type.startsWith('payment_intent.')) return;
        const { id, metadata } = object as PaymentIntent;
        this.#deliver(id, metadata['payment_id'] ?? null);
      };
    }
    for (const name of ['a', 'b']) {
      this.#processes.push(await this.#start(name));
    }
    const guests = 1 + chance.below(3);
    for (let made = 0; made < guests; made += 1) {
      const plan = planOf(chance);
      const checkoutId = await makeCheckout(this.#shared, this.applicationId, plan);
      this.checkoutIds.push(checkoutId);
      this.spawn(() => playGuest(this, plan, checkoutId));
    }
    while (await this.#next()) {
      this.#steps += 1;
      if (this.#steps === stepsWithFaults) this.#endFaults();
      if (this.#steps === this.#outageAt) this.#beginOutage();
      if (this.#steps === this.#act?.at) {
        await sql(this.#shared.database, this.#act.text, [this.applicationId]);
      }
      if (this.#steps === this.#clockStep?.at) await this.#stepClock(this.#clockStep.ms);
      if (this.#steps > stepsAtMost) {
        this.problems.push('the run does not end');
        return;
      }
    }
    if (this.#active > 0) this.problems.push(`${this.#active} do not end`);
    await releaseAbandonedHolds(this.#shared.database, 500);
  }

  /** Ends what a wrong run has left: its timers would keep this process. */
  async end(): Promise<void> {
    for (const { process } of this.#processes) await this.scheduler.kill(process);
  }

  /** What has happened at the provider. */
  #events(): string[] {
    const { sessions, disputes, refunds } = this.standIn;
    return [
      ...[...sessions.values()].map(({ status }) => `link ${status}`),
      ...[...disputes.values()].map(({ status }) => `dispute ${status}`),
      ...[...refunds.values()].map(({ status }) => `refund ${status}`),
    ];
  }

  async outcomes(): Promise<string[]> {
    const rows = await sql<{ outcome: string }>(
      this.#shared.database,
      `SELECT concat_ws(' ', state, failure_reason) AS outcome FROM bookings
        WHERE booking_id = ANY ($1::uuid[]) ORDER BY created_at, booking_id`,
      [this.checkoutIds],
    );
    return [...rows.map(({ outcome }) => outcome), ...this.#events()];
  }
}

/** What tests of the simulation itself change. */
export interface PlaySettings {
  change?: ChangeProvider;
  stepsAtMost?: number;
  laterStepsAtMost?: number;
  /** Some of the later days have a restore, which needs the server for itself. */
  restores?: boolean;
  /** Whether the later days are played, which cost more than the booking. Without it: of every twentieth seed. */
  isLater?: boolean;
}

/** Plays one seed, and compares what the guests saw, the database and the provider. */
export async function playSeed(
  shared: SharedSystem,
  seed: number,
  {
    change = (provider) => provider,
    stepsAtMost = 40_000,
    laterStepsAtMost = 4_000,
    restores = false,
    isLater = seed % 20 === 0,
  }: PlaySettings = {},
): Promise<Run> {
  const simulation = new Simulation(shared, seed, change);
  await simulation.play(stepsAtMost).finally(() => simulation.end());
  const problems = [...simulation.problems, ...(await differencesOf(shared.database, simulation))];
  if (isLater && problems.length === 0)
    problems.push(
      ...(await playLaterDays(shared, simulation, change, {
        stepsAtMost: laterStepsAtMost,
        restores,
      })),
    );
  const outcomes = await simulation.outcomes();
  for (const as of simulation.seenByStaff.values()) outcomes.push(`${as} by staff`);
  await sql(shared.database, 'DELETE FROM occupancies');
  await sql(shared.database, 'UPDATE bookings SET due_at = NULL WHERE due_at IS NOT NULL');
  await sql(shared.database, 'UPDATE payment_returns SET due_at = NULL WHERE due_at IS NOT NULL');
  await sql(shared.database, 'UPDATE payment_accounts SET due_at = NULL WHERE due_at IS NOT NULL');
  const faults = simulation.standIn.calls.flatMap(({ fault, name }) =>
    fault ? [`${fault} ${name}`] : [],
  );
  return { seed, problems, trace: simulation.scheduler.trace, outcomes, faults };
}
