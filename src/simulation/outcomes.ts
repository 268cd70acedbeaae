import type { FailureReason, PaymentSetupFailure } from '../contract/states.ts';
import type { Announced } from '../bookings/index.ts';

/** What a guest's email selects in the simulation. */
export interface SimulatedOutcome {
  answer: { outcome: 'done'; announced: Announced } | { outcome: 'refused'; reason: FailureReason };
  /** Seconds until the answer is known; null: it never is. */
  toldInSeconds: number | null;
  /** How the payment setup fails, and whether asking again helps. */
  setup?: { failure: PaymentSetupFailure; onlyTheFirst: boolean };
}

const made: SimulatedOutcome['answer'] = { outcome: 'done', announced: null };
const aboutFiveSeconds = 5;

const refused = (reason: FailureReason, toldInSeconds = 0): SimulatedOutcome => ({
  answer: { outcome: 'refused', reason },
  toldInSeconds,
});

/** THE suffix table. Spec: Sandbox outcome selection by guest email. */
export const suffixOutcomes = {
  failed: refused('refused'),
  sold_out: refused('sold_out'),
  price_changed: refused('price_changed'),
  policy_changed: refused('policy_changed'),
  authority_revoked: refused('authority_revoked'),
  quote_expired: refused('quote_expired'),
  uncertain: { answer: made, toldInSeconds: null },
  uncertain_confirmed: { answer: made, toldInSeconds: aboutFiveSeconds },
  uncertain_failed: refused('refused', aboutFiveSeconds),
  setup_unavailable: {
    answer: made,
    toldInSeconds: 0,
    setup: { failure: 'unavailable', onlyTheFirst: true },
  },
  setup_declined: {
    answer: made,
    toldInSeconds: 0,
    setup: { failure: 'not_authorized', onlyTheFirst: false },
  },
  cancelled: {
    answer: { outcome: 'done', announced: { change: 'cancelled', inSeconds: aboutFiveSeconds } },
    toldInSeconds: 0,
  },
  changed: {
    answer: {
      outcome: 'done',
      announced: { change: 'moved_one_day', inSeconds: aboutFiveSeconds },
    },
    toldInSeconds: 0,
  },
} as const satisfies Record<string, SimulatedOutcome>;

export type Suffix = keyof typeof suffixOutcomes;

/** What every other email selects. */
const confirmed: SimulatedOutcome = { answer: made, toldInSeconds: 0 };

const isSuffix = (text: string): text is Suffix => Object.hasOwn(suffixOutcomes, text);

/** The suffix in `<local>+<suffix>@<domain>`; null: none that selects anything. */
export function suffixOf(email: string): Suffix | null {
  const [, suffix] = /\+([^+@]*)@[^@]*$/.exec(email) ?? [];
  return suffix !== undefined && isSuffix(suffix) ? suffix : null;
}

/** The outcome of a suffix, as kept; null: the ordinary one. */
export const outcomeOf = (suffix: Suffix | null): SimulatedOutcome =>
  suffix === null ? confirmed : suffixOutcomes[suffix];

/** How the payment setup of this guest fails at this attempt; null: it succeeds. */
export function simulatedSetupOf(email: string, attempt: number): PaymentSetupFailure | null {
  const { setup } = outcomeOf(suffixOf(email));
  if (!setup || (setup.onlyTheFirst && attempt > 1)) return null;
  return setup.failure;
}
