import type { FailureReason, PaymentSetupFailure } from '../contract/states.ts';
import type { Announced } from '../bookings/index.ts';

/** The outcome that a guest's email selects in the simulation. */
export interface SimulatedOutcome {
  answer: { outcome: 'done'; announced: Announced } | { outcome: 'refused'; reason: FailureReason };
  /** Seconds until the answer is known; null: never. */
  knownInSeconds: number | null;
  /** How the payment setup fails; `onlyFirst`: a second setup succeeds. */
  setup?: { failure: PaymentSetupFailure; onlyFirst: boolean };
}

const made: SimulatedOutcome['answer'] = { outcome: 'done', announced: null };
const aboutFiveSeconds = 5;

const refused = (reason: FailureReason, knownInSeconds = 0): SimulatedOutcome => ({
  answer: { outcome: 'refused', reason },
  knownInSeconds,
});

/** The suffix table. Spec: SIMULATION-1. */
export const suffixOutcomes = {
  failed: refused('refused'),
  sold_out: refused('sold_out'),
  price_changed: refused('price_changed'),
  policy_changed: refused('policy_changed'),
  authority_revoked: refused('authority_revoked'),
  quote_expired: refused('quote_expired'),
  uncertain: { answer: made, knownInSeconds: null },
  uncertain_confirmed: { answer: made, knownInSeconds: aboutFiveSeconds },
  uncertain_failed: refused('refused', aboutFiveSeconds),
  setup_unavailable: {
    answer: made,
    knownInSeconds: 0,
    setup: { failure: 'unavailable', onlyFirst: true },
  },
  setup_declined: {
    answer: made,
    knownInSeconds: 0,
    setup: { failure: 'not_authorized', onlyFirst: false },
  },
  cancelled: {
    answer: { outcome: 'done', announced: { change: 'cancelled', inSeconds: aboutFiveSeconds } },
    knownInSeconds: 0,
  },
  changed: {
    answer: {
      outcome: 'done',
      announced: { change: 'moved_one_day', inSeconds: aboutFiveSeconds },
    },
    knownInSeconds: 0,
  },
} as const satisfies Record<string, SimulatedOutcome>;

export type Suffix = keyof typeof suffixOutcomes;

/** The outcome of every other email. */
const confirmed: SimulatedOutcome = { answer: made, knownInSeconds: 0 };

const isSuffix = (text: string): text is Suffix => Object.hasOwn(suffixOutcomes, text);

/** The suffix in `<local>+<suffix>@<domain>`; null: no suffix of the table. */
export function suffixOf(email: string): Suffix | null {
  const [, suffix] = /\+([^+@]*)@[^@]*$/.exec(email) ?? [];
  return suffix !== undefined && isSuffix(suffix) ? suffix : null;
}

/** The outcome of a suffix; null: confirmed. */
export const outcomeOf = (suffix: Suffix | null): SimulatedOutcome =>
  suffix === null ? confirmed : suffixOutcomes[suffix];

/** The failure of a payment setup with this outcome at this attempt; null: it succeeds. */
export function simulatedSetupOf(
  suffix: string | null,
  attempt: number,
): PaymentSetupFailure | null {
  const { setup } = outcomeOf(suffix !== null && isSuffix(suffix) ? suffix : null);
  if (!setup || (setup.onlyFirst && attempt > 1)) return null;
  return setup.failure;
}
