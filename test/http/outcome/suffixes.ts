/** The outcome of each suffix of a guest's email, written manually from the specification. */

export interface Ending {
  suffix: string;
  /** The state in which a checkout ends, and a request. */
  checkout: 'confirmed' | 'failed' | 'expired' | 'uncertain';
  request: 'confirmed' | 'failed' | 'unresolved';
  reason?: string;
  nextActions: string[];
  /** Whether it is uncertain first, and for about five seconds. */
  late?: true;
}

/** What a failure has beside its reason, from the booking with its total and policies. */
export function failureOf(
  reason: string | undefined,
  { total, policies }: { total: number; policies: { label: string }[] },
): object | undefined {
  if (reason === undefined) return undefined;
  if (reason === 'price_changed')
    return { reason, was: total, now: total + Math.round(total / 10) };
  return reason === 'policy_changed' ? { reason, changed: [policies[0]!.label] } : { reason };
}

const confirmed: Omit<Ending, 'suffix'> = {
  checkout: 'confirmed',
  request: 'confirmed',
  nextActions: ['view_confirmation'],
};
const failed = { checkout: 'failed', request: 'failed' } as const;

export const endings: Ending[] = [
  { suffix: 'anything', ...confirmed },
  { suffix: 'failed', ...failed, reason: 'refused', nextActions: ['contact_support'] },
  { suffix: 'sold_out', ...failed, reason: 'sold_out', nextActions: ['refresh_quote'] },
  { suffix: 'price_changed', ...failed, reason: 'price_changed', nextActions: ['refresh_quote'] },
  { suffix: 'policy_changed', ...failed, reason: 'policy_changed', nextActions: ['refresh_quote'] },
  {
    suffix: 'authority_revoked',
    ...failed,
    reason: 'authority_revoked',
    nextActions: ['contact_support'],
  },
  {
    suffix: 'quote_expired',
    checkout: 'expired',
    request: 'failed',
    reason: 'quote_expired',
    nextActions: ['refresh_quote'],
  },
  { suffix: 'uncertain', checkout: 'uncertain', request: 'unresolved', nextActions: ['poll'] },
  { suffix: 'uncertain_confirmed', ...confirmed, late: true },
  {
    suffix: 'uncertain_failed',
    ...failed,
    reason: 'refused',
    nextActions: ['contact_support'],
    late: true,
  },
  { suffix: 'setup_unavailable', ...confirmed },
  { suffix: 'setup_declined', ...confirmed },
  { suffix: 'cancelled', ...confirmed },
  { suffix: 'changed', ...confirmed },
];

/** `type state` of the events that an ending causes. */
export function eventsOfEnding(state: string): string[] {
  if (state === 'uncertain' || state === 'unresolved') return [];
  const resolved = `checkout.resolved ${state}`;
  return state === 'confirmed' ? [resolved, 'reservation.confirmed confirmed'] : [resolved];
}

/** About five seconds, as a loaded machine may take them: in milliseconds. */
export const aboutFiveSeconds = { min: 4_500, max: 15_000 };
