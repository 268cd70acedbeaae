/** Starts a scenario: chooses what its task is about, and begins what it changes. */
import { randomUUID } from 'node:crypto';
import type { PartnerActor } from '../../access/index.ts';
import { refuse, type Refusal } from '../../contract/errors.ts';
import type { Task } from '../../contract/sandbox/conformance.ts';
import { scenarioFacts, type TaskKind } from '../../contract/sandbox/scenarios.ts';
import type { SandboxContext } from '../context.ts';
import { withOwnNights } from '../own-nights.ts';
import { readsAtOnce } from '../rules/conformance/judge.ts';
import { plans } from '../rules/conformance/plays.ts';
import { endTokens } from '../store/orders.ts';
import type { StoredRun } from '../store/runs.ts';
import {
  type Setting,
  startStoredScenario,
  type StoredScenario,
  takeNights,
} from '../store/scenarios.ts';
import { bookInput, type Chosen, chooseStays } from './choose-task.ts';
import { beginFollow, followSeconds, playsInSeconds } from './follow.ts';

/** How many stays the task of each kind needs. */
const staysOf: Readonly<Record<TaskKind, number>> = {
  read: 0,
  sync: 0,
  search: 1,
  book: 1,
  follow: 2,
};

interface Prepared {
  input: Task['input'];
  setting: Setting | null;
}

async function prepare(
  context: SandboxContext,
  { application }: PartnerActor,
  { scenario }: StoredScenario,
  attemptId: string,
  chosen: readonly Chosen[],
): Promise<Prepared> {
  const { task } = scenarioFacts(scenario);
  if (task === 'read') return { input: { calls: readsAtOnce }, setting: null };
  if (task === 'sync') return { input: {}, setting: null };
  if (task === 'book') return { input: bookInput(scenario, attemptId, chosen[0]!), setting: null };
  if (task === 'search') {
    const { checkIn, checkOut, adults } = chosen[0]!.offered;
    return { input: { checkIn, checkOut, party: { adults } }, setting: null };
  }
  const { setting, cursor } = await beginFollow(context, application, chosen);
  const { references } = setting;
  return { input: { cursor, seconds: followSeconds, references }, setting };
}

/** Begins what is there from the start on, beside what every process reads with the application. */
async function beginEffects(
  { executor, now }: SandboxContext,
  { applicationId, tokenId }: PartnerActor,
  { scenario, task }: StoredScenario,
  attemptId: string,
): Promise<void> {
  if (scenario === 'token-shared') await endTokens(executor, applicationId, now(), tokenId);
  if (scenario === 'nights-taken') {
    const { listingId, checkIn, checkOut } = task!.input as ReturnType<typeof bookInput>;
    await takeNights(executor, { applicationId, attemptId }, { listingId, checkIn, checkOut });
  }
}

/** Starts a scenario of a run. Undefined: another one runs. Spec: SANDBOX-4. */
export async function startAttempt(
  context: SandboxContext,
  actor: PartnerActor,
  run: StoredRun,
  stored: StoredScenario,
): Promise<StoredScenario | Refusal<'unavailable'> | undefined> {
  const { executor } = context;
  const { application, applicationId } = actor;
  const { scenario } = stored;
  const { task: kind, sayWithinSeconds, limitSeconds } = scenarioFacts(scenario);
  const attemptId = randomUUID();
  const wanted = staysOf[kind];
  const own = withOwnNights(context, applicationId);
  const draw = [run.seed, scenario, stored.attempts];
  const effects = plans[scenario].effects ?? {};
  const chosen = await chooseStays(own, application, draw, {
    count: wanted,
    effects,
    crossesShortDay: scenario === 'clock-change-dates',
  });
  // The catalog has no such homes, or the nights could not be read in time.
  if (chosen.length < wanted) return refuse('unavailable');
  const { input, setting } = await prepare(context, actor, stored, attemptId, chosen);
  const started = await startStoredScenario(executor, stored, {
    attemptId,
    task: { kind, input, sayWithinSeconds },
    setting,
    effects,
    limitSeconds,
    playsInSeconds: kind === 'follow' ? playsInSeconds : null,
  });
  if (!started) return undefined;
  await beginEffects(context, actor, started, attemptId);
  await context.takeEffect(applicationId);
  return started;
}
