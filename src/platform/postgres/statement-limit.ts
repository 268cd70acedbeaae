/** How long a statement may take. */

/** PostgreSQL's own limit ends a statement this long before its caller leaves, so that the connection stays usable. */
export const answerGraceMs = 250;

// Shorter limits are multiples of this, because each change costs a round trip.
const statementStepMs = 250;

/** No statement starts for a call that has less time left than this. */
export const leastStatementMs = statementStepMs + answerGraceMs;

/**
 * Returns PostgreSQL's time limit for a statement, so that it ends before its caller leaves: the usual
 * limit, or the remaining time of the call in steps. 0: too little time is left to start.
 */
export function statementLimit(usualMs: number, leftMs: number): number {
  const mostMs = leftMs - answerGraceMs;
  if (mostMs >= usualMs) return usualMs;
  return Math.max(0, Math.floor(mostMs / statementStepMs) * statementStepMs);
}
