/** Keeps every difference from the moment on in which it appears: a race may never come again. */
import { appendFileSync } from 'node:fs';
import type { Failure } from './simulation.ts';

/** One difference a line, as JSON; in the folder in which the run was started. */
export const differencesFile = 'simulate-differences.jsonl';

/** Writes a difference to standard error and to the file, before a smaller session is looked for. */
export function recordDifference({ seed, workerPlace, plan, error }: Omit<Failure, 'path'>): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const at = new Date().toISOString();
  appendFileSync(
    differencesFile,
    `${JSON.stringify({ at, seed, workerPlace, error: text, plan })}\n`,
  );
  console.error(`seed ${seed} differs, worker ${workerPlace}: ${text}`);
}
