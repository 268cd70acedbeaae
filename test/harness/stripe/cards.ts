/** The test cards: what the bank answers at the setup and at each payment. */

/** A decline, in the words of the provider's error. */
export interface Decline {
  code: string;
  decline_code?: string;
}

/** How a card behaves. */
export interface Card {
  /** The number that a person types in the provider's test mode. */
  number: string;
  setupDecline?: Decline;
  chargeDecline?: Decline;
  /** Whether the bank wants the guest at every payment. */
  authenticates?: boolean;
}

const declinedAs = (decline_code: string): Decline => ({ code: 'card_declined', decline_code });

/** The provider's test payment methods, by name. */
export const testCards = {
  pm_card_visa: { number: '4242424242424242' },
  pm_card_chargeDeclined: {
    number: '4000000000000002',
    setupDecline: declinedAs('generic_decline'),
  },
  pm_card_chargeDeclinedExpiredCard: {
    number: '4000000000000069',
    setupDecline: { code: 'expired_card', decline_code: 'expired_card' },
  },
  pm_card_chargeCustomerFail: {
    number: '4000000000000341',
    chargeDecline: declinedAs('generic_decline'),
  },
  // The guest authenticates the setup; later payments need no guest, but the account lacks money.
  pm_card_authenticationRequiredChargeDeclinedInsufficientFunds: {
    number: '4000008260003178',
    chargeDecline: declinedAs('insufficient_funds'),
  },
  pm_card_authenticationRequired: { number: '4000002760003184', authenticates: true },
  pm_card_authenticationRequiredOnSetup: { number: '4000002500003155' },
} as const satisfies Readonly<Record<string, Card>>;

/** The name of a test card. */
export type CardName = keyof typeof testCards;

/** The test card with this number. */
export const cardNumbered = (number: string): CardName | undefined =>
  (Object.keys(testCards) as CardName[]).find((name) => testCards[name].number === number);
