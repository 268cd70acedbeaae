/** Plays the sessions of seeds, and shrinks one that fails. */
import * as fc from 'fast-check';
import { plans, type Plan } from './plan.ts';
import { Session } from './session.ts';
import { openTestSystem, workerPlaces, type TestSystem, type WorkerPlace } from './test-system.ts';
import type { CallCounts } from './call-counts.ts';
import { modelEnvironments, type ModelEnvironment } from './world.ts';

/** A session in which service and model differ. */
export interface Failure {
  seed: number;
  environment: ModelEnvironment;
  workerPlace: WorkerPlace;
  /** Of the smallest one found. */
  path: string;
  plan: Plan;
  error: unknown;
}

/** The sessions to play. */
export interface Seeds {
  seeds: readonly number[];
  /** Each seed is played in each of them; absent: in all. */
  workers?: readonly WorkerPlace[];
  /** And in each of these; absent: in all. */
  environments?: readonly ModelEnvironment[];
  /** Called when a session differs, before it is shrunk. */
  onDifference?: (difference: Omit<Failure, 'path'>) => void;
  /** The path to a smaller session of a seed; empty: the session itself. */
  path?: string;
  /** After this many seconds no new session starts. */
  mostSeconds?: number;
  /** Whether a failing session is not shrunk. */
  isLeftLarge?: boolean;
  /** Statements that damage the database beforehand. */
  damage?: readonly string[];
}

/** So many seeds, each following the one before. */
export const seedsFrom = (first: number, count: number): number[] =>
  Array.from({ length: count }, (_, at) => first + at);

// The time limit of the search for the smallest failing session.
const shrinkAtMostMs = 120_000;
async function playSeed(
  system: TestSystem,
  callCounts: CallCounts,
  seed: number,
  { path = '', isLeftLarge = path !== '', onDifference }: Seeds,
): Promise<Failure | null> {
  const { environment, workerPlace } = system;
  let isFirst = true;
  const property = fc.asyncProperty(plans[environment], async (plan) => {
    try {
      await Session.play(system, plan, callCounts);
    } catch (error) {
      if (isFirst) onDifference?.({ seed, environment, workerPlace, plan, error });
      isFirst = false;
      throw error;
    }
  });
  const found = await fc.check(property, {
    seed,
    numRuns: 1,
    path,
    endOnFailure: isLeftLarge,
    interruptAfterTimeLimit: shrinkAtMostMs,
  });
  callCounts.sessions += 1;
  if (!found.failed) return null;
  const [plan] = found.counterexample ?? [];
  return {
    seed,
    environment,
    workerPlace,
    path: found.counterexamplePath ?? '',
    plan: plan!,
    error: found.errorInstance,
  };
}

/** Plays the session of each seed, up to the first that fails; null: none does. */
export async function playSeeds(seeds: Seeds, callCounts: CallCounts): Promise<Failure | null> {
  const { damage, mostSeconds = Infinity } = seeds;
  const { workers = workerPlaces, environments = modelEnvironments } = seeds;
  const end = performance.now() + mostSeconds * 1_000;
  let failure: Failure | null = null;
  async function playOn(environment: ModelEnvironment, workerPlace: WorkerPlace): Promise<void> {
    const system = await openTestSystem(environment, workerPlace, damage);
    try {
      for (const seed of seeds.seeds) {
        if (failure !== null || performance.now() >= end) return;
        failure ??= await playSeed(system, callCounts, seed, seeds);
      }
    } finally {
      await system.close();
    }
  }
  await Promise.all(
    environments.flatMap((environment) => workers.map((worker) => playOn(environment, worker))),
  );
  return failure;
}
