/** The delay before an unknown outcome is looked up again, in seconds, after this number of look-ups. */
export type ReconcileInSeconds = (tries: number) => number;

// Frequent retries while a guest is probably waiting, then exponential backoff.
const eagerTries = 20;
const longestPauseSeconds = 3_600;

/** In the simulation outcomes become known within seconds. */
export const reconcileEagerly: ReconcileInSeconds = (tries) =>
  tries <= eagerTries ? 1 : Math.min(2 ** (tries - eagerTries), longestPauseSeconds);

const firstDelays = [5, 15, 30] as const;
const minutesOfAnHour = 60;
const longDelaySeconds = 900;

/**
 * Soon at first, then every minute for an hour, then every 15 minutes. As soon as the card provider answers again,
 * everything that waits is looked up at once. Spec: UNCERTAIN-4.
 */
export const reconcilePatiently: ReconcileInSeconds = (tries) => {
  const soon = firstDelays[tries];
  if (soon !== undefined) return soon;
  return tries < firstDelays.length + minutesOfAnHour ? 60 : longDelaySeconds;
};
