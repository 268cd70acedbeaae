/** The event types and the members of their `data`, in order. Spec: EVENT-1. */
export const eventTypes = {
  'checkout.resolved': ['checkoutId', 'state', 'version', 'reference', 'resolvedAt'],
  'reservation.confirmed': ['reference', 'checkoutId', 'state', 'confirmedAt'],
  'reservation.cancelled': ['reference', 'checkoutId', 'state', 'cancelledAt'],
  'reservation.changed': ['reference', 'checkoutId', 'state', 'changes', 'changedAt'],
  'change_request.decided': ['reference', 'changeRequestId', 'state'],
} as const satisfies Record<string, readonly string[]>;

export type EventType = keyof typeof eventTypes;

/** The meaning of each event, and when it is sent. */
export const eventTexts: Readonly<Record<EventType, { summary: string; when: string }>> = {
  'checkout.resolved': {
    summary: 'A submitted checkout has its outcome',
    when: 'When a submitted checkout or a reservation request becomes `confirmed`, `failed` or `expired`. `uncertain` sends no event; the event follows when the outcome is known.',
  },
  'reservation.confirmed': {
    summary: 'A reservation was made',
    when: 'When a reservation is confirmed, together with its `checkout.resolved`; also after `uncertain`.',
  },
  'reservation.cancelled': {
    summary: 'A reservation was cancelled',
    when: "When the operator's reservations team has cancelled it. Read the reservation for its current state.",
  },
  'reservation.changed': {
    summary: 'A reservation was changed',
    when: "When the operator's reservations team has changed dates, party, price or home; `changes` lists which. Read the reservation for its current state.",
  },
  'change_request.decided': {
    summary: 'A request for a change was decided',
    when: 'When a request to cancel or change a reservation becomes `accepted`, `declined` or `withdrawn`. After `accepted`, `reservation.cancelled` or `reservation.changed` is sent too.',
  },
};

/** The values of `changes` in a `reservation.changed` event. */
export const reservationChanges = ['dates', 'party', 'price', 'listing'] as const;

/** The version of the envelope. Spec: EVENT-2. */
export const eventSchemaVersion = 1;
