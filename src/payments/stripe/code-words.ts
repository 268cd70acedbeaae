/** The provider's codes in words, for staff. */
const words: Readonly<Record<string, string>> = {
  amount_not_representable: 'the provider takes no such amount in this currency',
  amount_too_large:
    'the amount is more than the provider takes, or more than is left of the payment',
  amount_too_small: 'the amount is below the least that the provider takes',
  authentication_required: 'the bank asks the guest to authenticate',
  balance_insufficient: 'your account at the provider has too little money',
  insufficient_funds: 'the card has too little money',
  card_declined: 'the bank has declined without a reason',
  card_velocity_exceeded: 'the card has reached a limit of its bank',
  charge_already_refunded: 'all of the payment was refunded already',
  charge_disputed: 'the cardholder disputes the payment, and the bank holds its money',
  currency_not_supported: 'the card does not take this currency',
  do_not_honor: 'the bank has declined without a reason',
  do_not_try_again: 'the bank has declined for good',
  expired_card: 'the card has expired',
  expired_or_canceled_card: 'the card has expired or was closed',
  fraudulent: 'the bank suspects fraud',
  generic_decline: 'the bank has declined without a reason',
  incorrect_cvc: 'the code of the card is wrong',
  lost_card: 'the card was reported lost',
  lost_or_stolen_card: 'the card was reported lost or stolen',
  more_permissions_required: 'the keys may not do this',
  payment_intent_authentication_failure: 'the guest could not authenticate',
  pickup_card: 'the bank has withdrawn the card',
  processing_error: 'the bank could not process it',
  resource_missing: 'the account of these keys does not know this card or payment',
  stolen_card: 'the card was reported stolen',
  transaction_not_allowed: 'the bank does not allow this with the card',
  withdrawal_count_limit_exceeded: 'the card has reached a limit of its bank',
};

/** What a code of the provider says; null: its dashboard explains it. */
export const wordsOfCode = (code: string): string | null => words[code] ?? null;

/** The provider's reasons of disputes in words. */
const disputes: Readonly<Record<string, string>> = {
  bank_cannot_process: 'the bank cannot process it',
  check_returned: 'a check came back',
  credit_not_processed: 'a refund that was promised did not come',
  customer_initiated: 'the guest has asked the bank for the money',
  debit_not_authorized: 'the debit was not authorized',
  duplicate: 'it was paid twice',
  fraudulent: 'the cardholder did not pay it',
  incorrect_account_details: 'the details of the account are wrong',
  insufficient_funds: 'the account has too little money',
  noncompliant: 'it breaks a rule of the card network',
  product_not_received: 'the guest did not get what was paid',
  product_unacceptable: 'the guest did not get what was promised',
  subscription_canceled: 'it was cancelled before it was paid',
  unrecognized: 'the cardholder does not recognize it',
};

/** Why a cardholder disputes a payment. */
export const wordsOfDispute = (reason: string): string =>
  disputes[reason] ?? 'the reason is in the dashboard of the card provider';
