import type { CheckoutState } from '../states.ts';

/** What each state of a checkout means, what it offers, and where it can go. */
export const checkoutStateTexts: Readonly<
  Record<CheckoutState, { meaning: string; actions: string; leads: string }>
> = {
  needs_guest: {
    meaning: 'Created; the guest is missing.',
    actions: '`save_guest`',
    leads: '`saveGuest` leads to `needs_payment` (card-paying) or `ready` (partner-settled).',
  },
  needs_payment: {
    meaning: 'Card-paying: no verified card yet.',
    actions:
      '`setup_payment`; `poll` while a setup is under way; `verify_payment` once it is ready; `contact_support` after `not_authorized`',
    leads: '`verifyPayment` leads to `ready`.',
  },
  ready: {
    meaning: 'All there.',
    actions: '`submit`',
    leads: '`submit` leads to `pending`, `requires_action` or `confirmed`.',
  },
  pending: {
    meaning: 'Submitted; outcome not known yet.',
    actions: '`poll`',
    leads:
      'Becomes `confirmed`, `failed`, `expired` or `uncertain` by itself; `requires_action` where the bank asks only now.',
  },
  requires_action: {
    meaning: 'Card-paying: the guest has a step of authentication to go through.',
    actions: '`verify_payment`',
    leads: '`verifyPayment` leads to `pending`; an hour without it to `failed`.',
  },
  confirmed: { meaning: 'Reserved.', actions: '`view_confirmation`', leads: 'Final.' },
  uncertain: {
    meaning: 'Whether it was reserved is still being found out.',
    actions: '`poll`',
    leads: 'Not final: becomes `confirmed` or `failed` by itself.',
  },
  failed: {
    meaning: 'Not reserved.',
    actions:
      '`refresh_quote` after `sold_out`, `price_changed`, `policy_changed` and `quote_expired`; otherwise `contact_support`',
    leads: 'Final.',
  },
  expired: {
    meaning: 'The quote ran out first; not reserved.',
    actions: '`refresh_quote`',
    leads: 'Final.',
  },
};
