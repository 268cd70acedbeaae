/** The days after the bookings of a run: instalments, changes, cancellations and refunds, with failures. */
import { isDeepStrictEqual } from 'node:util';
import { checkRefunds } from '../../../src/payments/collection/check-refunds.ts';
import { collectAccount } from '../../../src/payments/collection/collect-account.ts';
import type { PaymentNotice } from '../../../src/payments/index.ts';
import { disputeIn } from '../../../src/payments/stripe/events.ts';
import { takePaymentNotice } from '../../../src/payments/take-notice.ts';
import { claimAccounts, type ClaimedAccount } from '../../../src/payments/store/accounts.ts';
import { adoptEffects } from '../../../src/payments/adopt-effects.ts';
import {
  currentEpoch,
  declareEpoch,
  enterEpoch,
  noteAdopted,
} from '../../../src/platform/postgres/epochs.ts';
import { believed } from '../../../src/platform/clock.ts';
import { DatabaseUnavailableError } from '../../../src/platform/postgres/database-errors.ts';
import type { Chance } from '../../harness/chance.ts';
import { sql } from '../../harness/rows.ts';
import type { Dispute } from '../../harness/stripe/objects.ts';
import type { Fault, StandIn } from '../../harness/stripe/stand-in.ts';
import { KilledError, type Scheduler } from './scheduler.ts';
import { staffOf } from './staff.ts';
import {
  type ChangeProvider,
  type SharedSystem,
  startProcess,
  stepDeadline,
  type WorkerProcess,
} from './system.ts';
import { startPayment } from '../../harness/acts.ts';
import { foreseeTaken, type MoneyAct, readMoney } from './foreseen.ts';
import { differencesAtEnd, type LaterRow, pagesAtOnce, readLaterRows } from './later-rules.ts';
import { doWatched, movesMoney, Watch } from './watched-acts.ts';

/** What the days of booking leave. */
interface Booked {
  chance: Chance;
  scheduler: Scheduler;
  standIn: StandIn;
  applicationId: string;
  /** By how much the provider's clock is ahead of the database's. */
  skew: number;
}

const faults: readonly Fault[] = [
  '409',
  '429',
  '503',
  '500_before',
  '500_after',
  'cut_before',
  'cut_after',
];
const leaseSeconds = 30;
const stepAskingMs = 15_000;
// Real timers must not end anything in a simulation.
const endlessMs = 100_000_000;
const stepsWithFaults = 150;
// An act of several calls seldom ends while processes are killed.
const stepsWithActs = 350;
const dayMs = 86_400_000;
const staffActs = [
  'price',
  'price',
  'cancel',
  'refund',
  'reduce',
  'collected',
  'collected',
  'refunded',
  'charged_back',
  'written_off',
  'stop',
  'start',
  'start',
  'link',
  'link',
  'link',
  'link',
] as const;
const takesFromOpen: ReadonlySet<string> = new Set(['reduce', 'collected', 'written_off']);
// The second instalment is due after 20 days; a card that is declined is asked for the last time 18 days later.
const days = 45;

class LaterDays {
  readonly problems: string[] = [];
  readonly #shared: SharedSystem;
  readonly #booked: Booked;
  readonly #change: ChangeProvider;
  /** Some weeks after the last act of staff. */
  #end: number;
  #processes: WorkerProcess[] = [];
  #steps = 0;
  #killShare: number;
  /** When the database is backed up, and how many effects the provider then has before it is put back; null: it is not. */
  readonly #restore: { backUpAt: number; effects: number } | null;
  #backup: (Awaited<ReturnType<SharedSystem['backUp']>> & { effects: number }) | null = null;
  #isPutBack = false;
  #told: PaymentNotice[] = [];
  #isAdopting = false;

  constructor(shared: SharedSystem, booked: Booked, change: ChangeProvider, restores: boolean) {
    this.#shared = shared;
    this.#booked = booked;
    this.#change = change;
    this.#end = shared.clock.now() + days * dayMs;
    const { chance, scheduler, standIn } = booked;
    const share = chance.pick([0, 0.05, 0.2]);
    this.#killShare = chance.pick([0, 0.02, 0.05]);
    scheduler.faults = { database: chance.pick([0, 0.01, 0.05]) };
    // What is listed begins an hour before the last row, by a clock that is nearly right.
    const isRestored = restores && Math.abs(booked.skew) < dayMs / 24 && chance.happens(0.8);
    const backUpAt = 1 + chance.below(stepsWithFaults / 2);
    this.#restore = isRestored ? { backUpAt, effects: 1 + chance.below(4) } : null;
    standIn.faultOf = () => (chance.happens(share) ? chance.pick(faults) : null);
  }

  rows = (): Promise<LaterRow[]> =>
    readLaterRows(this.#shared.database, this.#booked.applicationId);

  #start(name: string): Promise<WorkerProcess> {
    const { scheduler, standIn } = this.#booked;
    return startProcess(this.#shared, scheduler, standIn, { name, change: this.#change });
  }

  #spawn(work: () => Promise<void>): void {
    void work().catch((error: unknown) => {
      if (error instanceof KilledError || error instanceof DatabaseUnavailableError) return;
      this.problems.push(error instanceof Error ? `${error.stack}` : String(error));
    });
  }

  #collectDue({ executor, provider }: WorkerProcess, claim: ClaimedAccount): void {
    const context = { executor, provider, askedMs: endlessMs, clock: believed };
    const deadline = this.#shared.clock.now() + stepAskingMs;
    this.#spawn(() =>
      stepDeadline.run(deadline, async () => {
        await collectAccount(context, claim);
      }),
    );
  }

  #poll(at: WorkerProcess): void {
    const { executor, provider } = at;
    const log = { warn: () => undefined };
    this.#spawn(async () => {
      await checkRefunds({ executor, provider, log, askedMs: endlessMs }, 8);
    });
    this.#spawn(async () => {
      for (const claim of await claimAccounts(at.executor, 8, leaseSeconds)) {
        this.#collectDue(at, claim);
      }
    });
  }

  async #advance(ms: number): Promise<void> {
    await this.#shared.clock.set(this.#shared.clock.now() + ms);
    this.#booked.standIn.finishLate();
  }

  /** Goes on to the next time at which an account is due. False: the days are over. */
  async #advanceToNext(): Promise<boolean> {
    await this.#tellAgain();
    const now = this.#shared.clock.now();
    const [row] = await sql<{ due: number | null }>(
      this.#shared.database,
      `SELECT least(
        (SELECT min(due_at) FROM payment_accounts WHERE application_id = $1),
        (SELECT min(check_at) FROM payment_refunds JOIN payment_intents USING (payment_id)
          WHERE application_id = $1)) AS due`,
      [this.#booked.applicationId],
    );
    const due = row?.due ?? Infinity;
    const isOver = now >= this.#end && due > now;
    if (this.#isPutBack && (isOver || this.#steps > stepsWithFaults) && !this.#isAdopting) {
      const epoch = await currentEpoch(this.#shared.database);
      if (epoch?.adoptedAt === null) {
        this.#adopt(this.#processes[0]!);
        return true;
      }
      if ((await this.#startHeld()) && isOver) return true;
    }
    if (isOver) return false;
    const next = Math.min(due, Math.max(now, this.#end));
    // The database has microseconds.
    await this.#advance(Math.max(0, next - now) + 1);
    for (const at of this.#processes) this.#poll(at);
    return true;
  }

  async #restart(): Promise<void> {
    const { chance, scheduler } = this.#booked;
    const index = chance.below(this.#processes.length);
    await scheduler.kill(this.#processes[index]!.process);
    this.#processes[index] = await this.#start(`later${this.#steps}`);
  }

  /** The database is put back to its backup: what was done since is known only outside. */
  async #putBack(): Promise<void> {
    const { scheduler } = this.#booked;
    for (const { process } of this.#processes) await scheduler.kill(process);
    await this.#backup!.restore();
    this.#isPutBack = true;
    const { database } = this.#shared;
    await enterEpoch(database, false);
    await database.transaction((executor) => declareEpoch(executor, 'restored'));
    this.#end = this.#shared.clock.now() + days * dayMs;
    this.#processes = [await this.#start('restored-a'), await this.#start('restored-b')];
  }

  /** A process compares the provider, before money moves; another one does if this is killed. */
  #adopt(at: WorkerProcess): void {
    const { scheduler, chance } = this.#booked;
    const { database } = staffOf(this.#shared, scheduler, at, chance);
    const { provider } = at;
    this.#isAdopting = true;
    this.#spawn(async () => {
      try {
        const epoch = await currentEpoch(at.executor);
        if (epoch === null || epoch.adoptedAt !== null) return;
        const { signal } = new AbortController();
        const log = { warn: () => undefined };
        await adoptEffects({ database, provider, log, signal }, epoch);
        await noteAdopted(at.executor, epoch.epoch);
      } catch (error) {
        if (!(error instanceof Error && error.message === 'the card provider does not answer'))
          throw error;
      } finally {
        this.#isAdopting = false;
      }
    });
  }

  /** Staff have compared what a restore has left open, and go on. False: nothing waited for them. */
  async #startHeld(): Promise<boolean> {
    const held = await sql<{ reference: string }>(
      this.#shared.database,
      'SELECT reference FROM payment_accounts WHERE application_id = $1 AND held_since IS NOT NULL ORDER BY reference',
      [this.#booked.applicationId],
    );
    for (const { reference } of held) {
      await startPayment(this.#shared.database, 'staff', { reference, reason: 'Compared.' });
    }
    return held.length > 0;
  }

  /** A guest's bank sends a refund back, days after it was paid. The provider's event may be lost. */
  async #sendBack(): Promise<void> {
    const { chance, standIn, applicationId } = this.#booked;
    const paid = await sql<{ refund: string; payment: string }>(
      this.#shared.database,
      `SELECT refund_reference AS refund, provider_reference AS payment
        FROM payment_refunds JOIN payment_intents USING (payment_id)
        WHERE application_id = $1 AND check_at > now() ORDER BY refund_id`,
      [applicationId],
    );
    const standing = paid.filter(({ refund }) => standIn.refunds.get(refund)?.status !== 'failed');
    if (standing.length === 0) return;
    const { refund, payment: providerReference } = chance.pick(standing);
    this.#end = this.#shared.clock.now() + days * dayMs;
    standIn.finishRefund(refund, 'failed');
    if (chance.happens(0.5)) return;
    await takePaymentNotice(this.#shared.database, {
      eventReference: refund,
      providerReference,
      paymentId: null,
      refund: { isElsewhere: false, refundedMinor: null },
      dispute: null,
    });
  }

  /** The provider tells of something, perhaps twice. */
  async #tell(notice: Omit<PaymentNotice, 'eventReference'>): Promise<void> {
    const eventReference = `later ${this.#steps}`;
    const times = this.#booked.chance.happens(0.2) ? 2 : 1;
    for (let time = 0; time < times; time += 1) await this.#take({ ...notice, eventReference });
  }

  async #take(notice: PaymentNotice): Promise<void> {
    const before = await this.#disputed(notice);
    const taken = await takePaymentNotice(this.#shared.database, notice);
    if (taken === 'later') this.#told.push(notice);
    const after = await this.#disputed(notice);
    if (!before || !after || !notice.dispute) return;
    // A dispute that is lost takes its amount once; no other event moves money.
    const isLost = before.outcome !== 'lost' && after.outcome === 'lost';
    const { amountMinor } = notice.dispute;
    const foreseen = isLost ? foreseeTaken(before.money, amountMinor) : before.money;
    if (isDeepStrictEqual(after.money, foreseen)) return;
    const texts = [before.money, after.money, foreseen].map((money) => JSON.stringify(money));
    this.problems.push(`a dispute of ${amountMinor} with ${texts.join(' is ')}`);
  }

  /** The money of the reservation that a dispute is about, and how the dispute is known; null: there is none. */
  async #disputed({ dispute, providerReference }: PaymentNotice) {
    const { database } = this.#shared;
    const [found] = await sql<{ reference: string; outcome: string | null }>(
      database,
      `SELECT a.reference,
          (SELECT d.outcome FROM payment_disputes d WHERE d.dispute_reference = $2) AS outcome
        FROM payment_intents i JOIN payment_accounts a USING (application_id, checkout_id)
        WHERE i.provider_reference = $1`,
      [providerReference, dispute?.disputeReference ?? null],
    );
    return found && { outcome: found.outcome, money: await readMoney(database, found.reference) };
  }

  /** The provider sends again what was not taken. */
  async #tellAgain(): Promise<void> {
    for (const notice of this.#told.splice(0)) await this.#take(notice);
  }

  /** A guest pays a hosted page, with a card that may be declined. The provider's event may be lost. */
  async #payPage(): Promise<void> {
    const { chance, standIn } = this.#booked;
    const open = [...standIn.sessions.values()].filter(({ status }) => status === 'open');
    if (open.length === 0) return;
    const { url, metadata } = chance.pick(open);
    this.#end = this.#shared.clock.now() + days * dayMs;
    const card = chance.happens(0.2) ? 'pm_card_chargeCustomerFail' : 'pm_card_visa';
    const payment = standIn.guest.payPage(url!, card);
    if (payment === null || chance.happens(0.4)) return;
    const paymentId = metadata['payment_id'] ?? null;
    await this.#tell({ providerReference: payment.id, paymentId, refund: null, dispute: null });
  }

  /** The cardholder disputes a payment; the provider's event comes, perhaps twice. */
  async #dispute(): Promise<void> {
    const { chance, standIn } = this.#booked;
    const disputed = new Set([...standIn.disputes.values()].map((one) => one.payment_intent));
    const captured = this.#captured().filter(({ payment }) => !disputed.has(payment.id));
    if (captured.length === 0) return;
    const { payment } = chance.pick(captured);
    await this.#tellOf(standIn.dispute(payment.id));
  }

  /** A dispute ends. */
  async #endDispute(): Promise<void> {
    const { chance, standIn } = this.#booked;
    const open = [...standIn.disputes.values()].filter(({ status }) => status === 'needs_response');
    if (open.length === 0) return;
    const dispute = chance.pick(open);
    standIn.endDispute(dispute, chance.pick(['lost', 'won']));
    await this.#tellOf(dispute);
  }

  async #tellOf(dispute: Dispute): Promise<void> {
    this.#end = this.#shared.clock.now() + days * dayMs;
    const { payment_intent: providerReference } = dispute;
    const noticed = disputeIn(dispute as unknown as Parameters<typeof disputeIn>[0]);
    await this.#tell({ providerReference, paymentId: null, refund: null, dispute: noticed });
  }

  /** The captured payments of this run, with what is left of each. */
  #captured() {
    const { standIn } = this.#booked;
    return [...standIn.payments.values()]
      .map((payment) => {
        const moved = standIn.ledger.filter(({ paymentIntent }) => paymentIntent === payment.id);
        const sum = (kind: string): number =>
          moved.filter((one) => one.kind === kind).reduce((all, { amount }) => all + amount, 0);
        const left = sum('captured') - sum('refunded') + sum('refund_failed');
        return { payment, left };
      })
      .filter(({ left }) => left > 0);
  }

  /** Somebody refunds a payment in the provider's dashboard. */
  async #refundElsewhere(): Promise<void> {
    const { chance, standIn } = this.#booked;
    const captured = this.#captured();
    if (captured.length === 0) return;
    const { payment, left } = chance.pick(captured);
    this.#end = this.#shared.clock.now() + days * dayMs;
    standIn.refundInDashboard(payment.id, 1 + chance.below(left));
    // A refund's event names the payment by the provider's reference alone.
    const refund = { isElsewhere: true, refundedMinor: null };
    await this.#tell({ providerReference: payment.id, paymentId: null, refund, dispute: null });
  }

  /** Staff cancel a reservation, change its price, or do something with its money. */
  async #act(): Promise<void> {
    const { chance } = this.#booked;
    const rows = (await this.rows()).filter(({ state }) => state === 'confirmed');
    if (rows.length === 0) return;
    const row = chance.pick(rows);
    this.#end = this.#shared.clock.now() + days * dayMs;
    const does = chance.pick(staffActs);
    if (does === 'price') return this.#reprice(row);
    const kept = Math.max(0, Math.min(row.due, row.collected - row.refunded));
    const toCollect = Math.max(0, row.open + row.owed);
    const most = takesFromOpen.has(does) ? toCollect : kept;
    const amount = 1 + chance.below(most + 1);
    // The card may have paid since they have looked.
    const seenOpen = movesMoney(does) && chance.happens(0.3) ? row.open : null;
    const act: MoneyAct = { does, amount, seenOpen };
    if (movesMoney(does) && chance.happens(0.2)) this.#do(row, act, true);
    this.#do(row, act, false);
  }

  /** Does an act of staff in any process, or shows its preview, and compares it with the model. */
  #do({ reference }: LaterRow, act: MoneyAct, dryRun: boolean): void {
    const { chance, scheduler } = this.#booked;
    const { problems } = this;
    const at = chance.pick(this.#processes);
    const watch = new Watch(reference);
    const staff = staffOf(this.#shared, scheduler, at, chance, watch);
    const links = {
      database: staff.database,
      cardProvider: at.provider,
      baseUrl: 'https://stays.test',
      askedMs: endlessMs,
    };
    const context = { staff, links, reference, endsLink: chance.happens(0.7) };
    this.#spawn(() => doWatched(context, watch, act, { dryRun, problems }));
  }

  /** Another price, all of it due today. */
  async #reprice(row: LaterRow): Promise<void> {
    const { chance } = this.#booked;
    const today = new Date(this.#shared.clock.now()).toISOString().slice(0, 10);
    const total = 1 + chance.below(row.total * 2);
    const schedule = [{ dueOn: today, amount: total }];
    await this.#write(
      row,
      `charges = (charges::jsonb || jsonb_build_object('total', $2::bigint, 'schedule', $3::jsonb))::json`,
      [total, JSON.stringify(schedule)],
    );
  }

  /** If a payment ended meanwhile, PostgreSQL refuses a refund that is too much: then nothing is done. */
  async #write({ reference }: LaterRow, change: string, values: unknown[]): Promise<void> {
    const text = `UPDATE reservations SET version = version + 1, ${change} WHERE reference = $1`;
    await sql(this.#shared.database, text, [reference, ...values]);
  }

  /** Between the backup and the restore staff act more often, so that the restore loses something. */
  get #actShare(): number {
    return this.#backup && !this.#isPutBack ? 0.12 : 0.06;
  }

  /** Backs the database up, and puts it back once the provider has effects that the backup has not. */
  async #backUpOrPutBack(): Promise<void> {
    const { scheduler, standIn } = this.#booked;
    if (this.#restore === null || this.#isPutBack) return;
    if (this.#steps === this.#restore.backUpAt) {
      await scheduler.quiet();
      // As processes that run do all the time.
      await sql(this.#shared.database, 'UPDATE installation SET alive_at = now()');
      const backup = await this.#shared.backUp();
      this.#backup = { ...backup, effects: standIn.ledger.length };
    }
    if (this.#backup === null) return;
    const isWorth = standIn.ledger.length >= this.#backup.effects + this.#restore.effects;
    if (isWorth || this.#steps === stepsWithFaults) await this.#putBack();
  }

  /** What people do between two steps, by its probability. */
  #happening(): (() => Promise<void>) | null {
    const { chance } = this.#booked;
    // A guest pays a page whenever it can be paid.
    const isQuiet = this.#steps >= stepsWithActs;
    const happenings: [share: number, () => Promise<void>][] = isQuiet
      ? [[0.05, () => this.#payPage()]]
      : [
          [this.#actShare, () => this.#act()],
          [0.02, () => this.#sendBack()],
          [0.015, () => this.#refundElsewhere()],
          [0.05, () => this.#payPage()],
          [0.02, () => this.#dispute()],
          [0.04, () => this.#endDispute()],
        ];
    const [, happening = null] = happenings.find(([share]) => chance.happens(share)) ?? [];
    return happening;
  }

  async #next(): Promise<boolean> {
    const { chance, scheduler } = this.#booked;
    await scheduler.quiet();
    if (scheduler.waiting === 0) return this.#advanceToNext();
    if (chance.happens(this.#killShare)) await this.#restart();
    else if (chance.below(50) === 0) await this.#advance(chance.pick([1_000, 31_000, dayMs]));
    else if (chance.happens(0.03)) this.#poll(chance.pick(this.#processes));
    else await (this.#happening() ?? (() => scheduler.release()))();
    return true;
  }

  async play(stepsAtMost: number): Promise<void> {
    const { scheduler, standIn } = this.#booked;
    this.#processes = [await this.#start('later-a'), await this.#start('later-b')];
    while (await this.#next()) {
      this.#steps += 1;
      this.problems.push(...pagesAtOnce(standIn, this.#shared.clock.now() + this.#booked.skew));
      await this.#backUpOrPutBack();
      if (this.#isPutBack && !this.#isAdopting && this.#steps % 20 === 0) {
        this.#adopt(this.#booked.chance.pick(this.#processes));
      }
      if (this.#steps === stepsWithFaults) {
        scheduler.faults = { database: 0 };
        this.#killShare = 0;
        standIn.faultOf = () => null;
      }
      if (this.#steps <= stepsAtMost) continue;
      this.problems.push('the later days do not end');
      return;
    }
  }

  /** Ends what a wrong run has left: its timers would keep this process. */
  async end(): Promise<void> {
    for (const { process } of this.#processes) await this.#booked.scheduler.kill(process);
    await this.#backup?.clear();
  }
}

/** Plays the days after the bookings of a run. Returns what is not as it must be. */
export async function playLaterDays(
  shared: SharedSystem,
  booked: Booked,
  change: ChangeProvider,
  { stepsAtMost, restores }: { stepsAtMost: number; restores: boolean },
): Promise<string[]> {
  // The provider of this run does not know the payments of others.
  await sql(
    shared.database,
    'UPDATE payment_accounts SET due_at = NULL WHERE application_id <> $1',
    [booked.applicationId],
  );
  const later = new LaterDays(shared, booked, change, restores);
  await later.play(stepsAtMost).finally(() => later.end());
  const rows = await later.rows();
  const problems = [...later.problems, ...differencesAtEnd(rows, booked.standIn)];
  await sql(
    shared.database,
    'UPDATE payment_accounts SET due_at = NULL WHERE application_id = $1',
    [booked.applicationId],
  );
  return problems;
}
