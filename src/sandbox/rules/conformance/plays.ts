/** What each scenario plays. Spec: SANDBOX-4. */
import type { Effects } from '../../../contract/sandbox/effects.ts';
import type { FaultAction } from '../../../contract/sandbox/schemas.ts';
import type { ScenarioId } from '../../../contract/sandbox/scenarios.ts';
import type { OperationId } from '../../../contract/partner/operations.ts';
import { isCreate, isQuote, isRead, isSearch, isSite, isSubmission } from './seen.ts';

/** What happens to a call, or before it, or after it. */
export type PlayAction =
  | FaultAction
  /** 401 with this reason, without effect. */
  | { unauthenticated: 'expired' }
  /** The checkout gets another version. */
  | { moves: 'version' }
  /** The quote of the booking expires: before a request is made of it, after a checkout was. */
  | { expires: 'quote' }
  /** The nights are taken for the application. */
  | { takes: 'nights' }
  /** The session of the checkout ends when it was made. */
  | { ends: 'session' }
  /** The homes of a search have members that are null, the price among them. */
  | { nulls: 'prices' }
  /** The instants of a quote are those of a clock that is so many seconds behind. */
  | { behindSeconds: number }
  /** The response says that its operation is deprecated since then. */
  | { deprecated: string }
  /** From now on the application meets this. */
  | { begins: Effects };

/** What is played, and at which call. */
export interface Play {
  at: 'site' | 'quote' | 'create' | 'submission' | 'read' | 'search';
  /** Absent: at the first one. */
  every?: true;
  do: PlayAction;
}

/** What a scenario makes of the service. */
export interface Plan {
  /** From its start on. */
  effects?: Effects;
  play?: Play;
}

const raisePercent = 10;
const terms = 'In the sandbox, these terms have changed.';

/** The plan of each scenario. */
export const plans: Readonly<Record<ScenarioId, Plan>> = {
  'token-shared': {},
  'token-refused': { play: { at: 'create', do: { unauthenticated: 'expired' } } },
  'catalog-pages': {},
  'search-unavailable': {
    play: { at: 'search', every: true, do: { respond: 503, retryAfterSeconds: 1 } },
  },
  'rate-limited': { play: { at: 'quote', do: { respond: 429, retryAfterSeconds: 3 } } },
  'unknown-values': { play: { at: 'read', do: { unknownValues: true } } },
  'quote-reply-lost': { play: { at: 'quote', do: { drop: 'after' } } },
  'create-reply-lost': { play: { at: 'create', do: { drop: 'after' } } },
  'quote-expired': { play: { at: 'create', do: { expires: 'quote' } } },
  'rule-refused': {},
  'nights-taken': {},
  'version-stale': { play: { at: 'submission', do: { moves: 'version' } } },
  'submit-reply-lost': { play: { at: 'submission', do: { drop: 'after' } } },
  'unresolved-applied': { play: { at: 'submission', do: { unresolved: 'applied' } } },
  'unresolved-not-applied': { play: { at: 'submission', do: { unresolved: 'not_applied' } } },
  'pending-long': { effects: { pendingSeconds: 12 } },
  'uncertain-confirmed': { effects: { outcome: 'uncertain_confirmed', knownInSeconds: 8 } },
  'uncertain-failed': { effects: { outcome: 'uncertain_failed', knownInSeconds: 8 } },
  'uncertain-stays': { effects: { outcome: 'uncertain' } },
  'sold-out': {
    effects: { outcome: 'sold_out' },
    play: { at: 'submission', do: { takes: 'nights' } },
  },
  'price-changed': { play: { at: 'submission', do: { begins: { raisePercent } } } },
  'price-too-high': { play: { at: 'submission', do: { begins: { raisePercent } } } },
  'terms-changed': { play: { at: 'submission', do: { begins: { terms } } } },
  'setup-unavailable': { effects: { setup: 'setup_unavailable' } },
  'setup-declined': { effects: { setup: 'setup_declined' } },
  'card-action': { effects: { needsAction: true } },
  'proxy-page': { play: { at: 'read', do: { html: 502 } } },
  'webhook-forged': { effects: { holdsDeliveries: true } },
  'webhook-repeated': { effects: { holdsDeliveries: true } },
  'events-missed': { effects: { holdsDeliveries: true } },
  'staff-change': {},
  'currency-no-decimals': { effects: { currency: 'JPY' } },
  'currency-three-decimals': { effects: { currency: 'KWD' } },
  'null-members': { play: { at: 'search', every: true, do: { nulls: 'prices' } } },
  'clock-change-dates': {},
  'clock-off': { play: { at: 'quote', every: true, do: { behindSeconds: 3_600 } } },
  'session-ended': { play: { at: 'create', do: { ends: 'session' } } },
  'deprecation-seen': { play: { at: 'site', every: true, do: { deprecated: '@1767225600' } } },
};

const isAt: Readonly<Record<Play['at'], (call: { operation: OperationId }) => boolean>> = {
  site: isSite,
  quote: isQuote,
  create: isCreate,
  submission: isSubmission,
  read: isRead,
  search: isSearch,
};

/** What a scenario plays at calls of an operation; null: nothing. */
export function playAt(scenario: ScenarioId, operation: OperationId): Play | null {
  const { play } = plans[scenario];
  return play && isAt[play.at]({ operation }) ? play : null;
}
