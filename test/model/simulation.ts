/** Plays the sessions of seeds, and makes one that fails as small as it can. */
import * as fc from 'fast-check';
import { plans, type Plan } from './plan.ts';
import { Session } from './session.ts';
import { openStage, type Stage } from './stage.ts';
import type { Tally } from './tally.ts';

/** A session in which service and model differ. */
export interface Failure {
  seed: number;
  /** Of the smallest one found. */
  path: string;
  plan: Plan;
  error: unknown;
}

/** Which sessions are played. */
export interface Seeds {
  first: number;
  count: number;
  /** Into the smaller sessions of a seed; empty: the session itself. */
  path?: string;
  /** After so many seconds no other session begins. */
  mostSeconds?: number;
  /** Whether a session that fails is left as it is. */
  isLeftLarge?: boolean;
  /** Statements that damage the database beforehand. */
  damage?: readonly string[];
}

// So that whoever waits for a report gets one.
const shrinkAtMostMs = 120_000;
// While one session waits for its database, the other goes on with another.
const stagesAtOnce = 2;

async function playSeed(
  stage: Stage,
  tally: Tally,
  seed: number,
  { path = '', isLeftLarge = path !== '' }: Seeds,
): Promise<Failure | null> {
  const property = fc.asyncProperty(plans, (plan) => Session.play(stage, plan, tally));
  const found = await fc.check(property, {
    seed,
    numRuns: 1,
    path,
    endOnFailure: isLeftLarge,
    interruptAfterTimeLimit: shrinkAtMostMs,
  });
  tally.sessions += 1;
  if (!found.failed) return null;
  const [plan] = found.counterexample ?? [];
  return { seed, path: found.counterexamplePath ?? '', plan: plan!, error: found.errorInstance };
}

/** Plays a session for each seed, up to the first that fails; null: none does. */
export async function playSeeds(seeds: Seeds, tally: Tally): Promise<Failure | null> {
  const { first, count, damage, mostSeconds = Infinity } = seeds;
  const end = performance.now() + mostSeconds * 1_000;
  let next = first;
  let failure: Failure | null = null;
  async function playOn(): Promise<void> {
    const stage = await openStage(damage);
    try {
      while (failure === null && next < first + count && performance.now() < end) {
        const seed = next;
        next += 1;
        failure ??= await playSeed(stage, tally, seed, seeds);
      }
    } finally {
      await stage.close();
    }
  }
  await Promise.all(Array.from({ length: Math.min(stagesAtOnce, count) }, playOn));
  return failure;
}
