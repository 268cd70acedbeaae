/** The event types and the members of their `data`, in order. Spec: Events, Event types. */
export const eventTypes = {
  'checkout.resolved': ['checkoutId', 'state', 'version', 'reference', 'resolvedAt'],
  'reservation.confirmed': ['reference', 'checkoutId', 'state', 'confirmedAt'],
  'reservation.cancelled': ['reference', 'checkoutId', 'state', 'cancelledAt'],
  'reservation.changed': ['reference', 'checkoutId', 'state', 'changes', 'changedAt'],
} as const satisfies Record<string, readonly string[]>;

export type EventType = keyof typeof eventTypes;

/** What a `reservation.changed` event can name as changed. */
export const reservationChanges = ['dates', 'party', 'price', 'listing'] as const;

/** The version of the envelope. Spec: Events, Envelope. */
export const eventSchemaVersion = 1;
