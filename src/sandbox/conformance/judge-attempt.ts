/** Judges an attempt at a scenario by what was recorded, and ends what it has changed. */
import { findApplication } from '../../access/index.ts';
import type { Catalog } from '../../catalog/index.ts';
import type { BookInput } from '../../contract/sandbox/conformance.ts';
import { sandboxLimits } from '../../contract/sandbox/limits.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import { type Facts, judgeScenario, type Said } from '../rules/conformance/judge.ts';
import { plans } from '../rules/conformance/plays.ts';
import { resultOf } from '../rules/conformance/run-state.ts';
import type { Calls } from '../rules/conformance/seen.ts';
import { readCalls, removeCalls } from '../store/seen-calls.ts';
import {
  endAttempt,
  type EndedScenario,
  freeNights,
  listMade,
  type StoredScenario,
} from '../store/scenarios.ts';
import { type FollowFacts, followFacts } from './follow.ts';
import { wasSpoiled } from './witness.ts';

/** What judging needs. */
export interface JudgeContext {
  executor: Executor;
  catalog: Catalog;
  /** Waits until no process plays any more what has ended for an application. */
  takeEffect(applicationId: string): Promise<void>;
  wakeDeliverer(applicationId: string): void;
}

async function listingsOf(
  { executor, catalog }: JudgeContext,
  { scenario, applicationId }: StoredScenario,
): Promise<string[]> {
  if (scenario !== 'catalog-pages') return [];
  const application = await findApplication(executor, applicationId);
  if (!application || !catalog.has(application.catalogId)) return [];
  return catalog.of(application.catalogId).listings.map(({ sortKey: { listingId } }) => listingId);
}

async function factsOf(
  context: JudgeContext,
  stored: StoredScenario,
  calls: Calls,
  said: Said,
  followed: FollowFacts,
): Promise<Facts> {
  const { executor } = context;
  const { applicationId, startedAt, task } = stored;
  const book = task?.kind === 'book' ? (task.input as BookInput) : null;
  return {
    calls,
    said,
    book,
    reservations: book ? await listMade(executor, applicationId, startedAt ?? 0) : [],
    listings: await listingsOf(context, stored),
    ...followed,
  };
}

/** Whether the service itself failed at a call, without having been asked to. */
const hasFailed = (calls: Calls): boolean =>
  calls.some(({ status, isPlayed }) => status >= 500 && !isPlayed);

/** Ends what a scenario has changed for its application. */
export async function endEffects(
  { executor, takeEffect, wakeDeliverer }: JudgeContext,
  { applicationId, attemptId, scenario }: EndedScenario,
): Promise<void> {
  if (attemptId !== null) await removeCalls(executor, attemptId);
  await freeNights(executor, { applicationId, attemptId });
  await takeEffect(applicationId);
  // What was held back is delivered now: nothing is lost to an endpoint because a scenario ran.
  if (plans[scenario].effects?.holdsDeliveries) wakeDeliverer(applicationId);
}

/**
 * Judges the running attempt at a scenario. A fault of the service itself puts it back. Undefined: the attempt had ended.
 * Spec: SANDBOX-4.
 */
export async function judgeAttempt(
  context: JudgeContext,
  stored: StoredScenario,
  said: Said,
): Promise<StoredScenario | undefined> {
  const { executor } = context;
  const { scenario } = stored;
  const attemptId = stored.attemptId!;
  const calls = await readCalls(executor, attemptId);
  const followed = await followFacts(executor, stored);
  const isSpoiled = wasSpoiled(attemptId) || hasFailed(calls) || followed.isServiceLate;
  const findings = isSpoiled
    ? []
    : judgeScenario(scenario, await factsOf(context, stored, calls, said, followed));
  const ended = await endAttempt(executor, stored, {
    result: isSpoiled ? null : resultOf(scenario, findings.length),
    findings,
    requestIds: calls.map(({ requestId }) => requestId).slice(0, sandboxLimits.requestIdsShown),
  });
  if (!ended) return undefined;
  await endEffects(context, stored);
  return ended;
}
