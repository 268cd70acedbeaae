/** Plays the faults that an application has ordered for its own calls. */
import { createHash } from 'node:crypto';
import type { Interference } from '../api/surface.ts';
import { instant } from '../contract/time.ts';
import type { Executor } from '../platform/postgres/database.ts';
import { type PlayedCall, playAction } from './play-action.ts';
import { type Chance, decideFault, faultText, isCounted } from './rules/faults.ts';
import { findFaults, writeCounts } from './store/faults.ts';

const chance: Chance = (seed, rule, count) =>
  createHash('sha256').update(`${seed}:${rule}:${count}`).digest().readUInt32BE() / 2 ** 32;

async function playNext(executor: Executor, call: PlayedCall, at: number): Promise<Interference> {
  const { applicationId, operation, requestId, note } = call;
  for (;;) {
    const found = await findFaults(executor, applicationId);
    if (!found || !isCounted(found.state, operation)) return null;
    const hit = { requestId, at: instant(at) };
    const { next, played } = decideFault(found.state, operation, hit, chance);
    if (!(await writeCounts(executor, applicationId, found, next))) continue;
    if (!played) return null;
    note(faultText(played.rule, played.action));
    return playAction(call, played.action);
  }
}

/** Runs the work of each application one after the other, so that it holds at most one connection. */
function createTurns(): <T>(applicationId: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return (applicationId, work) => {
    const before = last.get(applicationId) ?? Promise.resolve();
    const mine = before.then(work, work);
    const ended = mine
      .catch(() => undefined)
      .finally(() => {
        if (last.get(applicationId) === ended) last.delete(applicationId);
      });
    last.set(applicationId, ended);
    return mine;
  };
}

const inTurn = createTurns();

/** Counts a call, and plays the fault that its application has ordered for it. Spec: SANDBOX-2. */
export const playFaults = (
  executor: Executor,
  call: PlayedCall,
  now: number,
): Promise<Interference> => inTurn(call.applicationId, () => playNext(executor, call, now));
