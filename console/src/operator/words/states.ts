import type { StateLabel } from '../../base/components/state-badge.tsx';

const labels: Readonly<Record<string, StateLabel>> = {
  confirmed: { name: 'Confirmed', color: 'teal' },
  cancelled: { name: 'Cancelled', color: 'gray' },
  pending: { name: 'Pending', color: 'blue' },
  uncertain: { name: 'Uncertain', color: 'orange' },
  unresolved: { name: 'Unresolved', color: 'orange' },
  failed: { name: 'Failed', color: 'red' },
  declined: { name: 'Declined', color: 'red' },
  stopped: { name: 'Stopped', color: 'orange' },
  no_card: { name: 'No card', color: 'orange' },
  change_request: { name: 'Request', color: 'blue' },
  disputed: { name: 'Disputed', color: 'red' },
  refund_failed: { name: 'Refund came back', color: 'red' },
  unusual_prices: { name: 'Unusual prices', color: 'orange' },
  clock_jumped: { name: 'Clock', color: 'orange' },
  audit_not_accepted: { name: 'Audit trail', color: 'orange' },
  record_refused: { name: 'Record refused', color: 'orange' },
  calendar_failing: { name: 'Calendar fails', color: 'red' },
  calendar_shrunk: { name: 'Calendar shrunk', color: 'orange' },
  conflict: { name: 'Sold twice', color: 'red' },
  webhook_failing: { name: 'Webhook fails', color: 'orange' },
  refund_refused: { name: 'Refund refused', color: 'red' },
  unmatched: { name: 'Belongs to nobody', color: 'orange' },
  adopted: { name: 'Found after a restore', color: 'orange' },
  unknown: { name: 'Not known', color: 'orange' },
};

/** The label of a state; one that this page does not know appears as it is. */
export const stateLabel = (state: string): StateLabel =>
  labels[state] ?? { name: state, color: 'gray' };
