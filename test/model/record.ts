/** Records every difference at once, because a race may not happen again. */
import { appendFileSync } from 'node:fs';
import type { Failure } from './simulation.ts';

/** One JSON line per difference, in the current folder. */
export const differencesFile = 'simulate-differences.jsonl';

/** Writes a difference to standard error and to the file, before the search for a smaller session. */
export function recordDifference({
  seed,
  environment,
  workerPlace,
  plan,
  error,
}: Omit<Failure, 'path'>): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const at = new Date().toISOString();
  appendFileSync(
    differencesFile,
    `${JSON.stringify({ at, seed, environment, workerPlace, error: text, plan })}\n`,
  );
  console.error(`seed ${seed} differs, environment ${environment}, worker ${workerPlace}: ${text}`);
}
