import type { RefusalKind } from '../rules/refusal.ts';

/** The provider's codes by what they mean for the next try. Any other code gives no lasting reason. */
const codes: Readonly<Record<Exclude<RefusalKind, 'funds'>, readonly string[]>> = {
  card: [
    'card_not_supported',
    'currency_not_supported',
    'expired_card',
    'fraudulent',
    'incorrect_number',
    'invalid_account',
    'invalid_number',
    'lost_card',
    'lost_or_stolen_card',
    'merchant_blacklist',
    'pickup_card',
    'restricted_card',
    'revocation_of_all_authorizations',
    'revocation_of_authorization',
    'stolen_card',
    'stop_payment_order',
    'testmode_decline',
    'transaction_not_allowed',
  ],
  guest: [
    'authentication_not_handled',
    'authentication_required',
    'payment_intent_authentication_failure',
  ],
  amount: [
    'amount_not_representable',
    'amount_too_large',
    'amount_too_small',
    'charge_already_refunded',
    'charge_disputed',
    'invalid_amount',
    'parameter_invalid_integer',
  ],
  account: [
    'more_permissions_required',
    'resource_missing',
    'testmode_charges_only',
    'livemode_mismatch',
  ],
};

const kinds = new Map<string, RefusalKind>(
  Object.entries(codes).flatMap(([kind, listed]) =>
    listed.map((code) => [code, kind as RefusalKind] as const),
  ),
);

/** What the provider's code means for the next try. */
export const refusalKindOf = (code: string | null): RefusalKind =>
  (code === null ? undefined : kinds.get(code)) ?? 'funds';
