/** The event types and the members of their `data`, in order. Spec: Events, Event types. */
export const eventTypes = {
  'checkout.resolved': ['checkoutId', 'state', 'version', 'reference', 'resolvedAt'],
  'reservation.confirmed': ['reference', 'checkoutId', 'state', 'confirmedAt'],
  'reservation.cancelled': ['reference', 'checkoutId', 'state', 'cancelledAt'],
  'reservation.changed': ['reference', 'checkoutId', 'state', 'changes', 'changedAt'],
} as const satisfies Record<string, readonly string[]>;

export type EventType = keyof typeof eventTypes;

/** What each event says, and when it is sent. */
export const eventTexts: Readonly<Record<EventType, { summary: string; when: string }>> = {
  'checkout.resolved': {
    summary: 'A submitted checkout has its outcome',
    when: 'When a submitted checkout (or a reservation request) comes to `confirmed`, `failed` or `expired`. `uncertain` sends nothing; if it turns into an outcome later, this is sent then.',
  },
  'reservation.confirmed': {
    summary: 'A reservation was made',
    when: 'When a reservation is confirmed, beside the `checkout.resolved` that goes with it; also when it had been `uncertain` before.',
  },
  'reservation.cancelled': {
    summary: 'A reservation was cancelled',
    when: "When the operator's reservations team has cancelled it. Read the reservation for its present state.",
  },
  'reservation.changed': {
    summary: 'A reservation was changed',
    when: "When the operator's reservations team has changed dates, party, price or home; `changes` names which. Read the reservation for its present state.",
  },
};

/** What a `reservation.changed` event can name as changed. */
export const reservationChanges = ['dates', 'party', 'price', 'listing'] as const;

/** The version of the envelope. Spec: Events, Envelope. */
export const eventSchemaVersion = 1;
