/** The scenarios whose task is to follow events: reservations of their own, and what happens to them. */
import { randomUUID } from 'node:crypto';
import { type Application, pageForPartner, positionText } from '../../access/index.ts';
import { actOnReservation, makeReservation } from '../../bookings/index.ts';
import type { Catalog } from '../../catalog/index.ts';
import { isRefusal } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import type { ScenarioId } from '../../contract/sandbox/scenarios.ts';
import { eventIdOf, readFeed, type StoredEvent } from '../../events/index.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import { orderDeliveries, readAnswers } from '../../webhooks/index.ts';
import type { SandboxContext } from '../context.ts';
import type { KnownReservation, PlayedEvent } from '../rules/conformance/judge.ts';
import { movedDays } from '../rules/conformance/moved-days.ts';
import type { Setting, StoredScenario } from '../store/scenarios.ts';
import { readKnown } from '../store/known-reservations.ts';
import { type Chosen, taskGuest } from './choose-task.ts';

/** How long a program follows. */
export const followSeconds = 8;
/** When the events of a scenario happen. */
export const playsInSeconds = 1.5;
/** What is played has ended by then, so that a program can know it in time. */
const playedByMs = (followSeconds - 2) * 1_000;

const eventsRead = 100;

const eventsAfter = async (
  executor: Executor,
  applicationId: string,
  sequence: number,
): Promise<StoredEvent[]> => {
  const query = {
    after: sequence,
    type: undefined,
    atMost: eventsRead,
    windowDays: limits.eventFeedDays,
  };
  return (await readFeed(executor, applicationId, query)).events;
};

/** Makes the reservations to follow, and notes where the feed is. */
export async function beginFollow(
  context: SandboxContext,
  application: Application,
  chosen: readonly Chosen[],
): Promise<{ setting: Setting; cursor: string }> {
  const { executor, database } = context;
  const { applicationId } = application;
  const references: string[] = [];
  for (const { home, offered } of chosen) {
    const now = context.now();
    references.push(await makeReservation(database, application, home, offered, taskGuest, now));
  }
  context.wakeDeliverer(applicationId);
  const query = { after: 0, type: undefined, atMost: 1, windowDays: limits.eventFeedDays };
  const { lastSequence } = await readFeed(executor, applicationId, query);
  const [last] =
    lastSequence > 0 ? await eventsAfter(executor, applicationId, lastSequence - 1) : [];
  const page = pageForPartner({
    operation: 'reservation.event.list',
    actor: application,
    query: {},
    context,
  });
  if (isRefusal(page)) throw new Error('a first page is refused');
  const eventId = last?.eventId ?? '';
  const cursor = page.cursorAt(positionText(lastSequence, eventId));
  return { setting: { references, sequence: lastSequence }, cursor };
}

/** What the player of events needs. */
export interface FollowContext {
  executor: Executor;
  catalog: Catalog;
  wakeDeliverer(applicationId: string): void;
  wakeDeliveries(): void;
}

type Act = { act: 'cancel' } | { move: number };

/** What staff do with the first and the second reservation of a scenario, in order. */
const actsOf: Readonly<Partial<Record<ScenarioId, readonly (readonly [number, Act])[]>>> = {
  'webhook-forged': [[0, { move: 1 }]],
  'webhook-repeated': [
    [0, { move: 1 }],
    [0, { move: 1 }],
  ],
  'events-missed': [
    [0, { act: 'cancel' }],
    [1, { move: 1 }],
  ],
  'staff-change': [
    [0, { act: 'cancel' }],
    [1, { move: 1 }],
  ],
};

async function actOn(
  { executor, catalog }: FollowContext,
  { applicationId, catalogId }: { applicationId: string; catalogId: string },
  reference: string,
  act: Act,
): Promise<void> {
  const { [reference]: known } = await readKnown(executor, applicationId, [reference]);
  if (!known) return;
  const wanted =
    'move' in act
      ? { act: 'change' as const, changes: movedDays(known, act.move) }
      : { act: 'cancel' as const };
  const view = catalog.of(catalogId);
  const owner = { applicationId, adjustPercent: 0 };
  const acted = await actOnReservation(executor, owner, reference, wanted, view, async () => false);
  if (acted === undefined || isRefusal(acted)) {
    throw new Error(`reservation ${reference} of a scenario cannot be changed`);
  }
}

const forged = { skewSeconds: 0, badSignature: false, copies: 1, afterSeconds: 0 } as const;
/** More than receivers accept. */
const staleSeconds = -360;

/** The deliveries of a scenario, in their order: events by their place. */
const deliveriesOf: Readonly<
  Partial<Record<ScenarioId, readonly { event: number; forge?: 'signature' | 'time' }[]>>
> = {
  'webhook-forged': [{ event: 0, forge: 'signature' }, { event: 0 }, { event: 0, forge: 'time' }],
  'webhook-repeated': [{ event: 1 }, { event: 0 }, { event: 0 }, { event: 0 }],
};

async function deliver(
  { executor, wakeDeliveries }: FollowContext,
  { applicationId, scenario, attemptId }: StoredScenario,
  events: readonly StoredEvent[],
): Promise<void> {
  const deliveries = deliveriesOf[scenario] ?? [];
  for (const { event, forge } of deliveries) {
    await orderDeliveries(executor, {
      ...forged,
      applicationId,
      eventId: events[event]!.eventId,
      attemptId: attemptId!,
      ...(forge && { forgedId: randomUUID() }),
      badSignature: forge === 'signature',
      skewSeconds: forge === 'time' ? staleSeconds : 0,
    });
  }
  if (deliveries.length > 0) wakeDeliveries();
}

/** Lets happen what the scenario wants: acts of staff, and deliveries of their events. */
export async function playEvents(
  context: FollowContext,
  scenario: StoredScenario,
  catalogId: string,
): Promise<void> {
  const { applicationId, setting } = scenario;
  if (!setting) return;
  for (const [index, act] of actsOf[scenario.scenario] ?? []) {
    await actOn(context, { applicationId, catalogId }, setting.references[index]!, act);
  }
  context.wakeDeliverer(applicationId);
  const events = await eventsAfter(context.executor, applicationId, setting.sequence);
  await deliver(context, scenario, events.filter(isAbout(setting.references)));
}

const isAbout =
  (references: readonly string[]) =>
  ({ data }: StoredEvent): boolean =>
    references.includes(String(data['reference']));

/** What the judge of a scenario has to know of its events. */
export interface FollowFacts {
  events: PlayedEvent[];
  known: Record<string, KnownReservation>;
  /** The outcome was said before everything was played, and before the task was over. */
  isEarly: boolean;
  /** The service itself has played something too late, or not at all. */
  isServiceLate: boolean;
}

const nothingToFollow: FollowFacts = {
  events: [],
  known: {},
  isEarly: false,
  isServiceLate: false,
};

/** Reads what a scenario has played, and what of it the service should have done by now. */
export async function followFacts(
  executor: Executor,
  { applicationId, scenario, setting, attemptId, startedAt, sinceStartMs }: StoredScenario,
): Promise<FollowFacts> {
  if (!setting || !attemptId || startedAt === null) return nothingToFollow;
  const answers = await readAnswers(executor, attemptId);
  const happened = (await eventsAfter(executor, applicationId, setting.sequence)).filter(
    isAbout(setting.references),
  );
  const real = happened.map(({ eventId }) => ({
    eventId: eventIdOf(eventId),
    isReal: true,
    answers: answers
      .filter((one) => one.forgedId === null && one.eventId === eventId)
      .map(({ status }) => status),
  }));
  const invented = answers.flatMap(({ forgedId, status }) =>
    forgedId === null ? [] : [{ eventId: eventIdOf(forgedId), isReal: false, answers: [status] }],
  );
  const isWhole =
    happened.length >= (actsOf[scenario] ?? []).length && answers.every(({ isSent }) => isSent);
  const isOver = sinceStartMs !== null && sinceStartMs >= followSeconds * 1_000;
  return {
    events: [...real, ...invented],
    known: await readKnown(executor, applicationId, setting.references),
    isEarly: !isWhole && !isOver,
    isServiceLate:
      (!isWhole && isOver) || happened.some(({ createdAt }) => createdAt > startedAt + playedByMs),
  };
}
