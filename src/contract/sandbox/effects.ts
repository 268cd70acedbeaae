/** What an application meets while a scenario of a conformance run runs. Spec: SANDBOX-4. */
export interface Effects {
  /** Added to the adjustment of its prices. */
  raisePercent?: number;
  /** A further term of every home. */
  terms?: string;
  /** What its homes are priced in: the same amounts, in minor units of another currency. */
  currency?: string;
  /** A submitted booking is resolved this much later. */
  pendingSeconds?: number;
  /** How its bookings end, whatever the guest's email says. */
  outcome?: string;
  /** Seconds until that outcome is known, in place of the usual ones. */
  knownInSeconds?: number;
  /** How its payment setups end. */
  setup?: string;
  /** Its card needs the guest once. */
  needsAction?: true;
  /** Events are not delivered to its endpoints. */
  holdsDeliveries?: true;
}
