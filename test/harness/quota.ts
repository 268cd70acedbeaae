import assert from 'node:assert/strict';
import type { Tier } from '../../src/contract/limits.ts';
import type { CallReply, Partner } from './partner.ts';

/** The quota headers of a response. */
export interface QuotaShown {
  tier: string;
  perMinute: number;
  remaining: number;
  fullInSeconds: number;
}

/** Reads the quota headers of a response. Both must exist and name the same tier. */
export function quotaOf({ headers }: Pick<CallReply, 'headers'>): QuotaShown {
  const policy = /^"(\w+)";q=(\d+);w=60$/.exec(headers.get('ratelimit-policy') ?? '');
  const state = /^"(\w+)";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit') ?? '');
  assert.ok(policy, `RateLimit-Policy: ${headers.get('ratelimit-policy')}`);
  assert.ok(state, `RateLimit: ${headers.get('ratelimit')}`);
  assert.equal(policy[1], state[1], 'both name the tier');
  return {
    tier: policy[1]!,
    perMinute: Number(policy[2]),
    remaining: Number(state[2]),
    fullInSeconds: Number(state[3]),
  };
}

/** A call of each tier that ends before the quota step: it is debited, and never refused. */
const probes: Record<Tier, (partner: Partner) => Promise<CallReply>> = {
  read: (partner) => partner.call('distribution.site.get', { query: 'x=1' }),
  search: (partner) => partner.call('distribution.listing.search', { rawBody: '{}' }),
  write: (partner) => partner.call('reservation.checkout.create', { rawBody: '{}' }),
  signal: (partner) => partner.call('cdp.signal.capture', { rawBody: '{}' }),
};

/** Uses one call of a tier, and says how it then stands. */
export async function spendOne(partner: Partner, tier: Tier): Promise<QuotaShown> {
  const reply = await probes[tier](partner);
  assert.equal(reply.status, 400, reply.text);
  return quotaOf(reply);
}

/** Uses up a tier, to the last part of a call. */
export async function drain(partner: Partner, tier: Tier): Promise<void> {
  let left = await spendOne(partner, tier);
  for (let most = left.perMinute + 10; left.remaining > 0; most -= 1) {
    assert.ok(most > 0, 'calls are not debited');
    left = await spendOne(partner, tier);
  }
  await spendOne(partner, tier);
}

/** How many calls were used between two looks; right as long as little flows back meanwhile. */
export function callsBetween(earlier: QuotaShown, later: QuotaShown): number {
  const seconds = later.fullInSeconds - earlier.fullInSeconds;
  return Math.round((seconds * later.perMinute) / 60) || 0;
}
