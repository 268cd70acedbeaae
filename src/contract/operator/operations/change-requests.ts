import { tagged } from '../../complete-rows.ts';
import type { StatedRows } from '../row.ts';
import * as schemas from '../schemas/change-requests.ts';

/** What partners ask to change. */
export const changeRequestRows = tagged('Reservations', {
  'operator.changeRequest.list': {
    call: 'GET /operator/v1/change-requests',
    summary: 'List what partners ask to cancel or change',
    description: 'Newest first; open requests only, unless you name a state.',
    scope: 'read',
    query: schemas.ChangeRequestsQuery,
    reply: { 200: schemas.ChangeRequestsPage },
    command: {
      name: 'change-request list',
      columns: [
        'changeRequestId',
        'reference',
        'kind',
        'checkIn',
        'checkOut',
        'party',
        'preview',
        'listing',
        'application',
        'state',
        'createdAt',
      ],
    },
  },
  'operator.changeRequest.accept': {
    call: 'POST /operator/v1/change-requests/{changeRequestId}/accept',
    summary: 'Accept a request: cancel or change the reservation',
    description:
      'The ordinary cancellation with the refund of the terms, or the ordinary change with the price of the current rates. `conflict`: price, refund or free nights are no longer those that the partner has seen; the request stays open.',
    scope: 'reservations',
    stepUp: true,
    body: schemas.AcceptChangeRequest,
    reply: { 200: schemas.AcceptedChange },
    errors: ['not_found', 'conflict', 'precondition_failed'],
    previews: true,
    command: { name: 'change-request accept', flags: { changeRequestId: 'request' } },
  },
  'operator.changeRequest.decline': {
    call: 'POST /operator/v1/change-requests/{changeRequestId}/decline',
    summary: 'Decline a request: the reservation stays as it is',
    description: '`conflict`: it is decided already.',
    scope: 'reservations',
    body: schemas.DeclineChangeRequest,
    reply: { 200: schemas.DeclinedChange },
    errors: ['not_found', 'conflict', 'precondition_failed'],
    command: { name: 'change-request decline', flags: { changeRequestId: 'request' } },
  },
} as const satisfies StatedRows);
