/** Summaries of responses: of the model's prediction, and of the real response. */
import type { CallReply } from '../harness/partner.ts';
import type { Account, SmallTier } from './world.ts';

export interface ReplySummary {
  /** The status and, of an error, code and reason. */
  response: string;
  /** The part of the body that the model compares. */
  shows?: unknown;
}

/** An error, by code and reason. */
export type Refused = `${number} ${string}`;

/** A successful response. */
export const shown = (status: number, shows: unknown): ReplySummary => ({
  response: String(status),
  shows,
});

/** A refusal. */
export const refused = (response: Refused): ReplySummary => ({ response });

/** The quota step: consumes one call or refuses. */
export function isOverQuota({ left }: Account, tier: SmallTier): boolean {
  if (left === null) return false;
  if (left[tier] < 1) return true;
  left[tier] -= 1;
  return false;
}

/** A refusal before the quota step: it consumes quota, but not below zero. */
export function refusedEarly({ left }: Account, tier: SmallTier, response: Refused): ReplySummary {
  if (left !== null) left[tier] = Math.max(0, left[tier] - 1);
  return refused(response);
}

export const overQuota = refused('429 rate_limited');

/** The summary of a real response; `showsOf` selects the relevant part of the body. */
export function replySummaryOf(
  { status, body }: CallReply,
  showsOf: (body: unknown, status: number) => unknown,
): ReplySummary {
  if (status < 300) return shown(status, showsOf(body, status));
  const { error } = body as { error: { code: string; details?: { reason?: string } } };
  const reason = error.details?.reason;
  return refused(`${status} ${error.code}${reason === undefined ? '' : ` ${reason}`}`);
}
