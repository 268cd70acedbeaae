/** The part of conformance runs that happens by itself: events that are due, and scenarios whose time is over. */
import type { Log } from '../../platform/log.ts';
import { findApplication } from '../../access/index.ts';
import { startLoop } from '../../platform/loop.ts';
import {
  endAttempt,
  findLateScenarios,
  resetScenarios,
  takeDueScenarios,
} from '../store/scenarios.ts';
import { type FollowContext, playEvents } from './follow.ts';
import { endEffects, judgeAttempt } from './judge-attempt.ts';

const everyMs = 500;
const lateAtOnce = 20;

interface PlayerContext extends FollowContext {
  log: Pick<Log, 'warn'>;
  /** Whether no other process serves: then nobody has seen what happened before this start. */
  isAlone(): boolean;
}

const noWait = (): Promise<void> => Promise.resolve();

async function play(context: PlayerContext): Promise<void> {
  const { executor, log } = context;
  for (const due of await takeDueScenarios(executor)) {
    const application = await findApplication(executor, due.applicationId);
    // The service is at fault, not the program: the scenario waits again.
    const failed = async (error: unknown): Promise<void> => {
      log.warn({ err: error, scenario: due.scenario }, 'the events of a scenario failed');
      const spoiled = { result: null, findings: [], requestIds: [] };
      if (await endAttempt(executor, due, spoiled)) {
        await endEffects({ ...context, takeEffect: noWait }, due);
      }
    };
    if (application) await playEvents(context, due, application.catalogId).catch(failed);
  }
}

async function judgeLate(context: PlayerContext): Promise<void> {
  for (const late of await findLateScenarios(context.executor, lateAtOnce)) {
    await judgeAttempt({ ...context, takeEffect: noWait }, late, { ended: 'nothing' });
  }
}

async function putBack(context: PlayerContext): Promise<void> {
  for (const reset of await resetScenarios(context.executor)) {
    await endEffects({ ...context, takeEffect: noWait }, reset);
  }
}

/** Plays the events of scenarios, and judges those whose time is over. Spec: SANDBOX-4. */
export function startConformancePlayer(context: PlayerContext): { stop(): Promise<void> } {
  let isFirst = true;
  return startLoop({
    name: 'play scenarios',
    everyMs,
    log: context.log,
    async work() {
      if (isFirst && context.isAlone()) await putBack(context);
      isFirst = false;
      await play(context);
      await judgeLate(context);
    },
  });
}
