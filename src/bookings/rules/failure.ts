import type { Charges, Terms } from '../../contract/partner/schemas/quote.ts';

/** What changed where a booking failed because price or policies did. Spec: CHECKOUT-8. */
export type FailureDetails = { was: number; now: number } | { changed: string[] };

/** The totals before and now; null: the stay can no longer be priced. */
export const priceChange = (
  was: Pick<Charges, 'total'>,
  now: Pick<Charges, 'total'> | null,
): FailureDetails | null => now && { was: was.total, now: now.total };

type Policies = Terms['policies'];

const bodiesOf = (policies: Policies): Map<string, string> =>
  new Map(policies.map(({ label, body }) => [label, body]));

/** The labels of the policies that differ, those that are gone included. */
export function policyChange(was: Policies, now: Policies): FailureDetails {
  const [before, after] = [bodiesOf(was), bodiesOf(now)];
  const labels = new Set([...before.keys(), ...after.keys()]);
  return { changed: [...labels].filter((label) => before.get(label) !== after.get(label)) };
}
