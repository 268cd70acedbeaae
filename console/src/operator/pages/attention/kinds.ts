import type { StateLabel } from '../../../base/components/state-badge.tsx';
import { stateLabel } from '../../words/states.ts';

/** What waits, and what closes it. */
interface Kind {
  label: StateLabel;
  /** What staff do about it. */
  act: string;
}

const acts: Readonly<Record<string, string>> = {
  declined: 'Collect it another way, or try the card again',
  disputed: 'Give evidence in the dashboard of the card provider',
  stopped: 'Start collecting again, or record what was paid',
  no_card: 'Send a payment link, or record what was paid',
  refund_refused: 'Pay the guest in another way, and record it',
  refund_failed: 'Pay the guest in another way, and record it',
  unknown: 'Look at the dashboard of the card provider',
  adopted: 'Compare it with the dashboard, then start again',
  unmatched: 'Find out whose it is in the dashboard, then close it',
  unusual_prices: 'Correct the prices in the calendar, or say that they are meant',
  change_request: 'Accept or decline it under Requests',
  uncertain: 'Find out whether it was made, and decide it',
  record_refused: 'Correct your records; it is sent again by itself',
  calendar_failing: 'Ask the channel, or correct the address',
  calendar_shrunk: 'Say whether the nights are free',
  conflict: 'Decide who has the nights',
  webhook_failing: 'Tell the partner; look at its deliveries',
  clock_jumped: 'Confirm the clock on the command line',
  audit_not_accepted: 'Look at the system that it is posted to; it is sent again by itself',
};

/** The label of a kind and what closes it; one that this page does not know is looked at. */
export const kindOf = (kind: string): Kind => ({
  label: stateLabel(kind),
  act: acts[kind] ?? 'Look at it',
});
