/** The delay before an unknown outcome is looked up again, in seconds, after this number of look-ups. */
export type ReconcileInSeconds = (tries: number) => number;

// Frequent retries while a guest is probably waiting, then exponential backoff.
const eagerTries = 20;
const longestPauseSeconds = 3_600;

/** In the simulation outcomes become known within seconds. */
export const reconcileEagerly: ReconcileInSeconds = (tries) =>
  tries <= eagerTries ? 1 : Math.min(2 ** (tries - eagerTries), longestPauseSeconds);

const delays = [5, 15, 60, 300, 900] as const;

/** A card provider may need minutes; its events make it faster. Spec: Card payments, reconciliation. */
export const reconcilePatiently: ReconcileInSeconds = (tries) =>
  delays[Math.min(tries, delays.length - 1)]!;
