/** Every limit that a user of the portal can reach. */
export const portalLimits = {
  linkHours: 24,
  sessionHours: 12,
  /** A session of a person ends when it was not used for so long, and at last after the other time. */
  personSessionDays: 30,
  personSessionDaysAtMost: 180,
  /** Persons of an application. */
  people: 100,
  personNameLength: 100,
  callsPerMinute: 600,
  /** Calls that may change something, of all sessions of an application. */
  changesPerMinute: 120,
  /** Attempts to open a link, per source address. */
  triesPerMinute: 60,
  pageSize: { min: 1, max: 100, default: 50 },
  endpoints: 20,
  urlLength: 2_000,
  descriptionLength: 200,
  /** Events that are counted of those that an endpoint waits for, and of those that it skipped. */
  missedCountedAtMost: 10_000,
  /** Failed deliveries of an endpoint that are counted for its badge. */
  failedCountedAtMost: 1_000,
  /** Failed deliveries that one call replays. */
  replayedAtOnce: 10_000,
  /** Calls to unknown paths that the request log takes from an application in a minute. */
  unknownPathsPerMinute: 60,
  /** Calls that the simulation's request log takes in a minute from an application that has had no portal link. */
  callsWithoutPortalPerMinute: 6_000,
  /** Invalid fields that the request log keeps of a call. */
  invalidFields: 20,
  /** Keys of an application that are neither revoked nor expired. */
  usableKeys: 10,
  /** Keys of an application, including those that are revoked or expired. */
  keysEver: 1_000,
  /** The timeline's list of calls, and the filter of the request log by what calls are about. */
  aboutAtOnce: 5,
  requestLogDays: 30,
  deliveryDays: 30,
  /** A token of 32 bytes in base64url. */
  tokenLength: 43,
} as const;
