import type { CheckoutState } from '../states.ts';

/** The meaning, next actions and transitions of each checkout state. */
export const checkoutStateTexts: Readonly<
  Record<CheckoutState, { meaning: string; actions: string; leads: string }>
> = {
  needs_guest: {
    meaning: 'Created; the guest is missing.',
    actions: '`save_guest`',
    leads:
      '`saveGuest` leads to `needs_payment` (card-paying) or `ready` (partner-settled, or where nothing will ever be due to the operator).',
  },
  needs_payment: {
    meaning: 'Card-paying: no verified card yet.',
    actions:
      '`setup_payment`; `poll` while a setup is pending; `verify_payment` once it is ready; `contact_support` after `not_authorized`',
    leads:
      '`verifyPayment` leads to `ready`; so does a promotion code after which nothing will ever be due to the operator.',
  },
  ready: {
    meaning: 'Ready to submit.',
    actions: '`submit`',
    leads:
      '`submit` leads to `pending`, `requires_action` or `confirmed`. Where no card is verified, a change of the promotion code after which something is due leads back to `needs_payment`.',
  },
  pending: {
    meaning: 'Submitted; outcome not known yet.',
    actions: '`poll`',
    leads:
      'Becomes `confirmed`, `failed`, `expired` or `uncertain` without a further call; `requires_action` if the bank asks for authentication at this point.',
  },
  requires_action: {
    meaning: 'Card-paying: the guest must complete an authentication step.',
    actions: '`verify_payment`',
    leads:
      '`verifyPayment` leads to `pending`. After an hour without it the checkout becomes `failed`.',
  },
  confirmed: { meaning: 'Reserved.', actions: '`view_confirmation`', leads: 'Final.' },
  uncertain: {
    meaning: 'The service is still determining whether the reservation was made.',
    actions: '`poll`',
    leads: 'Not final: becomes `confirmed` or `failed` without a further call.',
  },
  failed: {
    meaning: 'Not reserved.',
    actions:
      '`refresh_quote` after `sold_out`, `price_changed`, `policy_changed` and `quote_expired`; otherwise `contact_support`',
    leads: 'Final.',
  },
  expired: {
    meaning: 'The quote expired before submit; not reserved.',
    actions: '`refresh_quote`',
    leads: 'Final.',
  },
};
