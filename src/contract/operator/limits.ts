/** Every limit that a user of the operator's API can reach. */
export const operatorLimits = {
  callsPerMinute: 1_200,
  /** Calls without credentials, such as signing in, per source address. */
  triesPerMinute: 60,
  pageSize: { min: 1, max: 500, default: 50 },
  reasonLength: 500,
  tokenDays: { max: 365, default: 90 },
  /** Of 32 bytes in base64url, after the prefix. */
  tokenLength: 43,
} as const;
