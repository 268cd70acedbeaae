/**
 * A subject's part of the one list of what waits for people. `text` selects the items that wait now, each with
 * `subject` (unique within its kind), `kind`, `application_id`, `checkout_id`, `reference`, `listing_id`, `amount`,
 * `currency`, `reason`, `code`, `since` and `deadline`; what does not apply is null.
 */
export interface AttentionSource {
  /** Its name in the statement. */
  name: string;
  /** The items are about money. */
  isMoney: boolean;
  text: string;
  /** What its `checkout_id` names: checkouts, unless it says so. */
  bookingKind?: 'checkout' | 'request';
  /** The reason in words. */
  words(item: { kind: string; reason: string; code: string | null }): string;
}
