/** Every limit that a user of the portal can reach. */
export const portalLimits = {
  linkHours: 24,
  sessionHours: 12,
  callsPerMinute: 600,
  /** Attempts to open a link, per source address. */
  triesPerMinute: 60,
  pageSize: { min: 1, max: 100, default: 50 },
  endpoints: 20,
  urlLength: 2_000,
  descriptionLength: 200,
  requestLogDays: 30,
  deliveryDays: 30,
  /** A token of 32 bytes in base64url. */
  tokenLength: 43,
} as const;
