import { setTimeout as sleep } from 'node:timers/promises';

// Every process reads the revision of the catalogs each second, and then what has changed.
const followedEverywhereMs = 1_200;

/** Ends when running services sell what has changed. Spec: OPERATOR-8. */
export async function followed(changed: boolean): Promise<void> {
  if (changed) await sleep(followedEverywhereMs);
}
