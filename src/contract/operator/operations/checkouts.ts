import { tagged } from '../../complete-rows.ts';
import type { StatedRows } from '../row.ts';
import * as schemas from '../schemas/checkouts.ts';

/** Checkouts and requests whose outcome is not known. */
export const checkoutRows = tagged('Checkouts', {
  'operator.checkout.list': {
    call: 'GET /operator/v1/checkouts',
    summary: 'List checkouts and requests whose outcome is not known',
    description: 'Oldest first.',
    scope: 'read',
    query: schemas.UncertainQuery,
    reply: { 200: schemas.UncertainPage },
    command: {
      name: 'checkout list',
      columns: [
        'checkoutId',
        'kind',
        'state',
        'guest',
        'phone',
        'listing',
        'total',
        'currency',
        'since',
        'decidedBy',
        'unknownStep',
        'checkIn',
        'checkOut',
        'application',
      ],
    },
  },
  'operator.checkout.get': {
    call: 'GET /operator/v1/checkouts/{checkoutId}',
    summary: 'Read a checkout or request with the evidence for its outcome',
    description:
      'Asks the supplier and the card provider for its outcome. `conflict`: several bookings have this ID; name the application and the kind.',
    scope: 'read',
    query: schemas.NameCheckout,
    reply: { 200: schemas.CheckoutInFull },
    errors: ['not_found', 'conflict'],
    command: { name: 'checkout show' },
  },
  'operator.checkout.resolve': {
    call: 'POST /operator/v1/checkouts/{checkoutId}/resolve',
    summary: 'Resolve a checkout or request whose outcome is not known',
    description:
      'Writes exactly what a worker would. A card payment is captured or given back first. If a worker is faster, its outcome is kept.',
    scope: 'reservations',
    stepUp: true,
    body: schemas.ResolveCheckout,
    reply: { 200: schemas.Resolution },
    errors: ['not_found', 'conflict'],
    previews: true,
    command: { name: 'checkout resolve' },
  },
} as const satisfies StatedRows);
