/** Plays a session and the model call by call; throws at the first difference. */
import { chanceOf } from '../harness/chance.ts';
import type { CallReply } from '../harness/partner.ts';
import { quotaOf } from '../harness/quota.ts';
import type { Checkout as CheckoutOnWire } from '../../src/contract/partner/schemas/checkout.ts';
import { checkRows, listsAtEnd, readsAtEnd } from './audit.ts';
import { isAct, kindOf, type Call } from './call-kinds.ts';
import type { SessionClients } from './session-clients.ts';
import { Difference } from './difference.ts';
import { afterFeed, readFeed } from './feed.ts';
import { replySummaryOf, type ReplySummary } from './reply-summary.ts';
import { directedBooking, gapActs, rivalBooking, rivalSale, type GapPlan } from './gaps.ts';
import { preparedRules } from './homes.ts';
import { callOf, type FollowIntention, type Intention } from './intentions.ts';
import { crowdedQuotas, worldsAfter, type Heard } from './order.ts';
import { askedIn, outcomesIn, worldsAfterWork } from './outcomes.ts';
import { holdersIn } from './outside.ts';
import { pageSearch } from './browse.ts';
import { pageRequests } from './paging.ts';
import type { Plan, Sending, Step } from './plan.ts';
import { send, waitedFor, type Sent } from './sending.ts';
import type { TestSystem } from './test-system.ts';
import type { CallCounts } from './call-counts.ts';
import { expireQuote, leaveAlone, passHour, passMinute, passSeconds } from './time.ts';
import {
  accountNames,
  newWorld,
  type AccountName,
  type CheckoutName,
  type World,
} from './world.ts';

type CallsStep = Extract<Step, { happens: 'calls' }>;

const watchedPages = [2, 1];
const tenSeconds = 10;
const aMinute = 60;
// Quote, checkout, guest, submit, the worker, the result.
const actionsOfBooking = 6;

const described = (heard: readonly Heard[]): string =>
  heard
    .map(
      ({ call, replySummary }) =>
        `  ${JSON.stringify(call)}\n    → ${replySummary ? JSON.stringify(replySummary) : 'nobody knows'}`,
    )
    .join('\n');

/** Whether a call with unknown result may have consumed a small quota. */
const usesUnknown = ({ accounts }: World, heard: readonly Heard[]): boolean =>
  heard.some(({ call, replySummary }) => replySummary === null && accounts[call.by].left !== null);

/** A session while it is played. */
export class Session {
  readonly #system: TestSystem;
  readonly #sessionClients: SessionClients;
  readonly #callCounts: CallCounts;
  readonly #sent: Call[] = [];
  /** The possible worlds, given all responses; usually one. */
  #worlds: World[];

  private constructor(
    system: TestSystem,
    sessionClients: SessionClients,
    callCounts: CallCounts,
    limitedUses: number,
  ) {
    this.#system = system;
    this.#sessionClients = sessionClients;
    this.#callCounts = callCounts;
    this.#worlds = [newWorld(limitedUses, system.environment)];
  }

  /** Plays the whole session and then checks all data. */
  static async play(system: TestSystem, plan: Plan, callCounts: CallCounts): Promise<void> {
    const sessionClients = await system.sessionClients(plan.limitedUses);
    const session = new Session(system, sessionClients, callCounts, plan.limitedUses);
    try {
      for (const step of plan.steps) {
        await session.#happen(step);
        // The calls may have made something due, and the test does not wake this worker.
        if (system.workerPlace !== 'apart') await session.#work();
      }
      await session.#end();
    } finally {
      await system.quiet();
      await leaveAlone(system, sessionClients);
    }
  }

  async #happen(step: Step): Promise<void> {
    const system = this.#system;
    const sessionClients = this.#sessionClients;
    switch (step.happens) {
      case 'calls':
        return this.#call(step);
      case 'a worker works':
        return this.#work();
      case 'the feed is read':
        return this.#readFeed(step.by, step.limits);
      case 'the requests are paged':
        return pageRequests(sessionClients, this.#worlds, step.by, step.limit);
      case 'a partner books':
        return this.#book(step.intention);
      case 'a change is asked':
        return this.#askChange(step);
      case 'a gap is booked':
        return this.#bookGap(step);
      case 'the homes are searched':
        return this.#pageSearch(step);
      case 'a quote expires':
        return expireQuote(system, sessionClients, this.#worlds, step.by, step.quote);
      case 'ten seconds pass':
        return passSeconds(system, this.#worlds, tenSeconds);
      case 'a minute passes':
        return passMinute(system, sessionClients, this.#worlds);
      case 'an hour passes':
        return passHour(system, sessionClients, this.#worlds);
    }
  }

  async #work(): Promise<void> {
    await this.#workDone();
    this.#worlds = this.#worlds.flatMap(worldsAfterWork);
    await this.#checkNights();
  }

  /** Keeps the worlds in which exactly these nights are taken, by these bookings and blocks. */
  async #checkNights(): Promise<void> {
    if (this.#system.environment === 'simulation') return;
    const { operator } = this.#sessionClients;
    const taken = JSON.stringify(
      await operator.taken((applicationId, bookingId) =>
        this.#sessionClients.takerOf(applicationId, bookingId),
      ),
    );
    const expected = this.#worlds.map(({ inventory }) => JSON.stringify(inventory!.taken));
    this.#worlds = this.#worlds.filter((_, at) => expected[at] === taken);
    if (this.#worlds.length > 0) return;
    throw new Difference(`the nights taken are\n  ${taken}\nand not\n  ${expected.join('\nor\n')}`);
  }

  /** Plays one intention alone. */
  #callAlone(intention: Intention): Promise<void> {
    const sending = { intention, times: 1, lost: 0, lostAfterMs: 0 };
    const step = { sendings: [sending], mixing: 0, isWorkerBusy: false, isWatched: false };
    return this.#call({ happens: 'calls', ...step });
  }

  /** Takes as many next actions as a booking needs. */
  async #book(intention: FollowIntention): Promise<void> {
    for (let action = 0; action < actionsOfBooking; action += 1) await this.#callAlone(intention);
  }

  /** Books, and plays what follows one by one. An hour passes before the last, so that the simulation decides. */
  async #askChange({
    book,
    after,
  }: Extract<Step, { happens: 'a change is asked' }>): Promise<void> {
    await this.#book(book);
    for (const [at, intention] of after.entries()) {
      if (at === after.length - 1) {
        await passHour(this.#system, this.#sessionClients, this.#worlds);
        await this.#work();
      }
      await this.#callAlone(intention);
    }
  }

  /**
   * Makes a gap and books it, alone or while another application books the home and something else is sold there, and
   * counts the bookings that were confirmed. The quotas refill before.
   */
  async #bookGap(plan: GapPlan): Promise<void> {
    passSeconds(this.#system, this.#worlds, aMinute);
    for (const act of gapActs(this.#worlds[0]!, plan)) await this.#callAlone(act);
    const booking = directedBooking(this.#worlds[0]!, plan);
    if (booking === null) return;
    const rival = rivalBooking(this.#worlds[0]!, plan, booking);
    const both = [booking, ...(rival ? [rival] : [])];
    for (const { prepares } of both) {
      for (const intention of prepares) await this.#callAlone(intention);
    }
    const atOnce = [...both.map(({ submit }) => submit), ...rivalSale(plan)];
    const sendings = atOnce.map((intention) => ({ intention, times: 1, lost: 0, lostAfterMs: 0 }));
    const step = { sendings, mixing: plan.which, isWorkerBusy: true, isWatched: false };
    await this.#call({ happens: 'calls', ...step });
    for (const { follow } of both) await this.#book(follow);
    const what = plan.rules === preparedRules ? 'preparation' : 'gap';
    if (rival) this.#callCounts.count(what, 'beside a rival');
    const { checkouts } = this.#worlds[0]!.accounts[plan.by];
    const { stay } = checkouts[booking.checkout]?.reservation ?? {};
    if (stay === booking.stay) this.#callCounts.count(what, 'booked');
  }

  /** Searches page by page. The quotas refill before and after. */
  async #pageSearch({
    by,
    stay,
    limit,
    members,
  }: Extract<Step, { happens: 'the homes are searched' }>) {
    passSeconds(this.#system, this.#worlds, aMinute);
    await pageSearch(this.#sessionClients, this.#worlds, by, stay, limit, members);
    passSeconds(this.#system, this.#worlds, aMinute);
  }

  #workDone(): Promise<void> {
    return this.#system.workDone(accountNames.map((by) => this.#sessionClients.applicationOf(by)));
  }

  async #readFeed(by: AccountName, limits: readonly number[]): Promise<void> {
    const events = await readFeed(this.#sessionClients, by, limits);
    const worlds = this.#worlds.flatMap((world) => {
      const account = afterFeed(world.accounts[by], events);
      return account ? [{ ...world, accounts: { ...world.accounts, [by]: account } }] : [];
    });
    if (worlds.length === 0) {
      const [expected] = this.#worlds.map(({ accounts }) => accounts[by]);
      const { events: read, unread } = expected!;
      const texts = [events, read, unread].map((one) => JSON.stringify(one));
      throw new Difference(`${by}'s events are\n  ${texts.join('\nand not\n  ')}`);
    }
    this.#worlds = worlds;
  }

  async #call({ sendings, mixing, isWorkerBusy, isWatched }: CallsStep): Promise<void> {
    const all: Sent[] = [];
    for (const sending of sendings) all.push(...(await this.#sentFor(sending)));
    const chance = chanceOf(mixing);
    const mixed = all
      .map((sent) => ({ sent, order: chance.next() }))
      .toSorted((a, b) => a.order - b.order)
      .map(({ sent }) => sent);
    if (mixed.length === 0) return isWorkerBusy ? this.#work() : undefined;
    // Stored and compared again at the end.
    const watching = isWatched
      ? readFeed(this.#sessionClients, mixed[0]!.call.by, watchedPages)
      : undefined;
    await Promise.all([this.#sendAtOnce(mixed, isWorkerBusy), watching]);
    await this.#checkNights();
    if (this.#worlds.length > 1) await this.#findOut(mixed);
  }

  async #sentFor({ intention, times, lost, lostAfterMs }: Sending): Promise<Sent[]> {
    if ('checkout' in intention) await this.#learnSetup(intention.by, intention.checkout);
    const situation = {
      world: this.#worlds[0]!,
      sessionClients: this.#sessionClients,
      sent: this.#sent,
    };
    const call = callOf(situation, intention);
    if (!call) {
      await this.#work();
      return [];
    }
    // A repeat of an old act would undo later ones of the operator.
    if (!isAct(call)) this.#sent.push(call);
    return Array.from({ length: times }, (_, at) => ({
      call,
      hangsUpAfterMs: at < lost && !isAct(call) ? lostAfterMs : null,
    }));
  }

  /** Reads the reference of a setup that is ready, as a partner does before it shows the card fields. */
  async #learnSetup(by: AccountName, checkout: CheckoutName): Promise<void> {
    const sessionClients = this.#sessionClients;
    const setup = this.#worlds[0]!.accounts[by].checkouts[checkout]?.setup;
    const isNew =
      setup?.state === 'ready' && !sessionClients.setupReference(by, checkout, setup.attempt);
    if (!isNew || sessionClients.capability(by, checkout) === undefined) return;
    const call: Call = { does: 'read', by, checkout, session: 'own' };
    const [reply] = await this.#sendAtOnce([waitedFor(call)], false);
    const { paymentSetup } = reply!.body as CheckoutOnWire;
    sessionClients.learnSetup(by, checkout, setup.attempt, paymentSetup?.setupReference ?? '');
  }

  #replySummaryOf(call: Call, reply: CallReply): ReplySummary {
    const kind = kindOf(call);
    const replySummary = replySummaryOf(reply, () => kind.shows(this.#sessionClients, call, reply));
    this.#callCounts.count(call.does, replySummary.response);
    return replySummary;
  }

  async #sendAtOnce(all: readonly Sent[], mayWork: boolean): Promise<(CallReply | null)[]> {
    const isWorkerInside = this.#system.workerPlace !== 'apart';
    const isWorkerBusy = mayWork || isWorkerInside;
    const working = mayWork && !isWorkerInside ? this.#workDone() : undefined;
    const replies = await Promise.all(all.map((sent) => send(this.#sessionClients, sent)));
    await working;
    if (replies.includes(null)) await this.#system.quiet();
    // Only now has the worker processed everything.
    if (isWorkerBusy) await this.#workDone();
    const heard = replies.map((reply, at): Heard => {
      const { call } = all[at]!;
      if (reply === null) this.#callCounts.count(call.does, 'nobody knows');
      return { call, replySummary: reply && this.#replySummaryOf(call, reply) };
    });
    this.#settle(heard, isWorkerBusy);
    const [first] = replies;
    if (replies.length === 1 && first) this.#checkQuota(all[0]!.call, first);
    return replies;
  }

  /** Keeps the worlds that these responses allow. */
  #settle(heard: readonly Heard[], isWorkerBusy: boolean): void {
    const before = this.#worlds;
    const isUnclear = before.some(
      (world) => crowdedQuotas(world, heard).size > 0 || usesUnknown(world, heard),
    );
    const worlds = before.flatMap((world) => worldsAfter(world, { heard, isWorkerBusy }));
    const distinct = new Map(worlds.map((world) => [JSON.stringify(world), world]));
    if (distinct.size === 0) throw new Difference(this.#explained(heard, before));
    this.#worlds = [...distinct.values()];
    // The remaining quota depends on the order and arrival of the calls.
    if (isUnclear) passSeconds(this.#system, this.#worlds, aMinute);
    this.#callCounts.race(heard.length, this.#worlds.length);
  }

  #explained(heard: readonly Heard[], worlds: readonly World[]): string {
    const [{ call }] = heard as [Heard];
    const predicted = worlds.map((world) => kindOf(call).predict(structuredClone(world), call));
    const texts = predicted.map((replySummary) => `  ${JSON.stringify(replySummary)}`).join('\n');
    const account = JSON.stringify(worlds[0]?.accounts[call.by]);
    return `no order explains\n${described(heard)}\nalone, the first is\n${texts}\nwith ${account}`;
  }

  /** The quota headers of a single call equal the remaining quota. */
  #checkQuota(call: Call, reply: CallReply): void {
    const { tier } = kindOf(call);
    const { left } = this.#worlds[0]!.accounts[call.by];
    if (left === null || tier === 'read' || this.#worlds.length > 1) return;
    const { remaining } = quotaOf(reply);
    if (remaining === Math.floor(left[tier])) return;
    throw new Difference(`${call.by} has ${remaining} ${tier} calls left, not ${left[tier]}`);
  }

  /** Reads the resources of the calls, or repeats the calls, until only one world is possible. */
  async #findOut(all: readonly Sent[]): Promise<void> {
    const asked = new Map(all.map(({ call }) => [JSON.stringify(call), call]));
    for (const call of asked.values()) {
      if (this.#worlds.length === 1) return;
      await this.#sendAtOnce([waitedFor(this.#readFor(call))], false);
    }
  }

  /** The call that shows the effect of a call: a read, or the same call again. */
  #readFor(call: Call): Call {
    const { by } = call;
    if (isAct(call)) return { does: 'listRequests', by, partnerReference: null };
    if (call.does === 'request') return { does: 'readRequest', by, request: call.request };
    if (call.does === 'signal' || !('checkout' in call)) return call;
    const { checkout } = call;
    const isKnown = this.#sessionClients.capability(by, checkout) !== undefined;
    return isKnown ? { does: 'read', by, checkout, session: 'own' } : call;
  }

  /** Reads everything once more and counts the rows. */
  async #end(): Promise<void> {
    await this.#readAtEnd(readsAtEnd(this.#worlds[0]!, this.#sessionClients));
    await this.#readAtEnd(listsAtEnd);
    for (const by of accountNames) await this.#readFeed(by, [50]);
    for (const outcome of outcomesIn(this.#worlds[0]!)) this.#callCounts.count('outcome', outcome);
    for (const asked of askedIn(this.#worlds[0]!)) this.#callCounts.count('asked', asked);
    for (const holder of holdersIn(this.#worlds[0]!))
      this.#callCounts.count('outside stay waits for', holder);
    await checkRows(this.#system, this.#sessionClients, this.#worlds);
  }

  /** Sent concurrently; these reads do not affect each other, so each is checked alone. */
  async #readAtEnd(reads: readonly Call[]): Promise<void> {
    const replies = await Promise.all(
      reads.map((call) => send(this.#sessionClients, waitedFor(call))),
    );
    for (const [at, call] of reads.entries()) {
      this.#settle([{ call, replySummary: this.#replySummaryOf(call, replies[at]!) }], false);
    }
  }
}
