/** The steps from a search to a reservation, and what of each gets to the next. */
import type { Funnel } from '../../api/funnel.ts';

export type Step = Exclude<keyof Funnel['weeks'][number], 'week'>;
export type Counts = Readonly<Partial<Record<Step, number>>>;

/** In their order. The color is that of the charts. */
export const steps: readonly { step: Step; name: string; color: string; about: string }[] = [
  { step: 'searches', name: 'Searches', color: 'gray.6', about: 'Searches that were answered' },
  {
    step: 'views',
    name: 'Views of homes',
    color: 'grape.6',
    about: 'Only of partners that tell of views',
  },
  {
    step: 'quotes',
    name: 'Quotes',
    color: 'indigo.6',
    about: 'Quotes that were made, counted when they have expired',
  },
  {
    step: 'checkouts',
    name: 'Checkouts',
    color: 'cyan.7',
    about: 'Quotes that became a checkout or a reservation request',
  },
  { step: 'submitted', name: 'Submitted', color: 'teal.6', about: 'Those that were submitted' },
  { step: 'confirmed', name: 'Confirmed', color: 'lime.7', about: 'Those that were confirmed' },
];

export const sumOf = (all: readonly Counts[], step: Step): number =>
  all.reduce((sum, one) => sum + (one[step] ?? 0), 0);

/** The share of an earlier step that reached this one: "41 %". Undefined: the earlier step has no count. */
export function shareText(counts: Counts, step: Step, of: Step): string | undefined {
  const [count = 0, all = 0] = [counts[step], counts[of]];
  if (all === 0) return undefined;
  return `${((count / all) * 100).toLocaleString('en', { maximumFractionDigits: 1 })} %`;
}

/** The step before each step, where the count of a step is a part of the count before. */
export const stepBefore: Readonly<Partial<Record<Step, Step>>> = {
  checkouts: 'quotes',
  submitted: 'checkouts',
  confirmed: 'submitted',
};

export const refusedSteps = {
  search: 'Search',
  quote: 'Quote',
  checkout: 'Checkout',
  submit: 'Submit',
  confirm: 'Booking failed',
} as const satisfies Record<Funnel['refusals'][number]['step'], string>;
