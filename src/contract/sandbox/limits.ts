/** Every limit of the sandbox. */
export const sandboxLimits = {
  rules: 50,
  delayMs: 30_000,
  /** Calls of an application that are delayed at the same time; further ones are answered at once. */
  delayedAtOnce: 64,
  retryAfterSeconds: 60,
  /** The hits of a rule that are shown. */
  hitsShown: 100,
  copies: 10,
  afterSeconds: 600,
  /** Ordered deliveries of an application that wait. */
  deliveriesWaiting: 100,
  skewSeconds: 86_400,
  pageSize: { min: 1, max: 50, default: 20 },
  /** Runs of an application that are kept. */
  runsKept: 20,
  /** Calls of an attempt at a scenario that are judged; further ones are not recorded. */
  callsJudged: 1_000,
  /** Request IDs that a scenario shows. */
  requestIdsShown: 200,
} as const;
