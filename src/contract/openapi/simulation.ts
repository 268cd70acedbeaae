/** What a suffix of the guest's email selects in the simulation, for partners to read. */
export const suffixTexts: Readonly<Record<string, string>> = {
  failed: 'Ends `failed`, reason `refused`.',
  sold_out: 'Ends `failed`, reason `sold_out`.',
  price_changed: 'Ends `failed`, reason `price_changed`.',
  policy_changed: 'Ends `failed`, reason `policy_changed`.',
  authority_revoked: 'Ends `failed`, reason `authority_revoked`.',
  quote_expired: 'Ends `expired`, reason `quote_expired`, offering `refresh_quote`.',
  uncertain: 'Ends nowhere: `uncertain` for good.',
  uncertain_confirmed: '`uncertain` for about 5 seconds, then `confirmed`.',
  uncertain_failed: '`uncertain` for about 5 seconds, then `failed`, reason `refused`.',
  setup_unavailable:
    'Card-paying: the first payment setup fails with `unavailable`, the next one succeeds.',
  setup_declined: 'Card-paying: every payment setup fails with `not_authorized`.',
  cancelled: 'Confirmed; cancelled about 5 seconds later, as by the reservations team.',
  changed: 'Confirmed; moved one day later after about 5 seconds.',
};
