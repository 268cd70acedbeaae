// Generated from the operation table by `npm run generate`.
/** The version of the contract that this client was made for. */
export const wireVersion = '0.2.0-preview.2';

/** How each operation is called, and how it may be repeated. */
export const operations = {
  'distribution.site.get': { method: 'GET', path: '/v1/site', repeat: 'read', provenance: true },
  'distribution.listing.list': { method: 'GET', path: '/v1/listings', repeat: 'read', provenance: true },
  'distribution.listing.get': { method: 'GET', path: '/v1/listings/{listingId}', repeat: 'read', provenance: true },
  'distribution.listing.search': { method: 'POST', path: '/v1/listings/search', repeat: 'read' },
  'inventory.calendar.get': { method: 'GET', path: '/v1/listings/{listingId}/calendar', repeat: 'read' },
  'inventory.calendar.list': { method: 'POST', path: '/v1/calendars', repeat: 'read' },
  'inventory.change.list': { method: 'GET', path: '/v1/inventory-changes', repeat: 'read' },
  'reservation.quote.create': { method: 'POST', path: '/v1/quotes', repeat: 'create', creates: 'quoteId' },
  'reservation.checkout.create': { method: 'POST', path: '/v1/checkouts', repeat: 'create', creates: 'checkoutId' },
  'reservation.checkout.get': { method: 'GET', path: '/v1/checkouts/{checkoutId}', repeat: 'read', session: 'required' },
  'reservation.checkout.saveGuest': { method: 'PATCH', path: '/v1/checkouts/{checkoutId}/guest', repeat: 'command', session: 'required' },
  'reservation.checkout.applyPromo': { method: 'POST', path: '/v1/checkouts/{checkoutId}/promotion', repeat: 'command', session: 'required' },
  'reservation.checkout.removePromo': { method: 'DELETE', path: '/v1/checkouts/{checkoutId}/promotion', repeat: 'command', session: 'required' },
  'reservation.checkout.setupPayment': { method: 'POST', path: '/v1/checkouts/{checkoutId}/payment-setup', repeat: 'command', session: 'required' },
  'reservation.checkout.verifyPayment': { method: 'POST', path: '/v1/checkouts/{checkoutId}/payment-method', repeat: 'command', session: 'required' },
  'reservation.checkout.submit': { method: 'POST', path: '/v1/checkouts/{checkoutId}/submit', repeat: 'command', session: 'required', reserves: true },
  'reservation.checkout.getStatus': { method: 'GET', path: '/v1/checkouts/{checkoutId}/status', repeat: 'read', session: 'required' },
  'reservation.checkout.getConfirmation': { method: 'GET', path: '/v1/checkouts/{checkoutId}/confirmation', repeat: 'read', session: 'required' },
  'reservation.reservation.get': { method: 'GET', path: '/v1/reservations/{reference}', repeat: 'read' },
  'reservation.reservation.list': { method: 'GET', path: '/v1/reservations', repeat: 'read' },
  'reservation.reservationRequest.create': { method: 'POST', path: '/v1/reservation-requests', repeat: 'create', creates: 'reservationRequestId', reserves: true },
  'reservation.reservationRequest.get': { method: 'GET', path: '/v1/reservation-requests/{reservationRequestId}', repeat: 'read' },
  'reservation.reservationRequest.list': { method: 'GET', path: '/v1/reservation-requests', repeat: 'read' },
  'reservation.change.request': { method: 'POST', path: '/v1/reservations/{reference}/change-requests', repeat: 'create', creates: 'changeRequestId' },
  'reservation.change.get': { method: 'GET', path: '/v1/reservations/{reference}/change-requests/{changeRequestId}', repeat: 'read' },
  'reservation.change.list': { method: 'GET', path: '/v1/change-requests', repeat: 'read' },
  'reservation.change.withdraw': { method: 'DELETE', path: '/v1/reservations/{reference}/change-requests/{changeRequestId}', repeat: 'read' },
  'reservation.event.list': { method: 'GET', path: '/v1/events', repeat: 'read' },
  'cdp.signal.capture': { method: 'POST', path: '/v1/signals', repeat: 'create', creates: 'signalId', session: 'joined' },
} as const;
