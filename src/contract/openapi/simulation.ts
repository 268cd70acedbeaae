/** The outcome that each suffix of the guest's email selects in the simulation. */
export const suffixTexts: Readonly<Record<string, string>> = {
  failed: 'Ends `failed`, reason `refused`.',
  sold_out: 'Ends `failed`, reason `sold_out`.',
  price_changed: 'Ends `failed`, reason `price_changed`.',
  policy_changed: 'Ends `failed`, reason `policy_changed`.',
  authority_revoked: 'Ends `failed`, reason `authority_revoked`.',
  quote_expired: 'Ends `expired`, reason `quote_expired`, offering `refresh_quote`.',
  uncertain: 'Stays `uncertain`.',
  uncertain_confirmed: '`uncertain` for about 5 seconds, then `confirmed`.',
  uncertain_failed: '`uncertain` for about 5 seconds, then `failed`, reason `refused`.',
  setup_unavailable:
    'Card-paying: the first payment setup fails with `unavailable`, the next one succeeds.',
  setup_declined: 'Card-paying: every payment setup fails with `not_authorized`.',
  cancelled: 'Confirmed, then cancelled after about 5 seconds, as if by the reservations team.',
  changed: 'Confirmed; after about 5 seconds the stay is moved to one day later.',
};
