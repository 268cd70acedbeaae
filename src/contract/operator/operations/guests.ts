import { operatorLimits } from '../limits.ts';
import { tagged } from '../../complete-rows.ts';
import type { StatedRows } from '../row.ts';
import * as schemas from '../schemas/guests.ts';

const notIndexed = 'bookings of an earlier version are still being indexed.';
const tooMany = `\`conflict\`: more than ${operatorLimits.bookingsOfGuest} bookings, or ${notIndexed}`;

/** What is kept about one person. */
export const guestRows = tagged('Guests', {
  'operator.guest.find': {
    call: 'POST /operator/v1/guests/find',
    summary: 'Find the bookings of one person',
    description: `Everything that is given must fit. It is in the body, so that no address or log has it. ${tooMany}`,
    scope: 'read',
    body: schemas.FindGuest,
    reply: { 200: schemas.BookingsOfGuest },
    errors: ['conflict'],
    command: {
      name: 'guest find',
      columns: ['reference', 'state', 'listing', 'checkIn', 'checkOut', 'guest', 'checkoutId'],
    },
  },
  'operator.guest.export': {
    call: 'POST /operator/v1/guests/export',
    summary: 'Export everything that is kept about one person',
    description: `By the email address, or of one reservation. ${tooMany}`,
    scope: 'reservations',
    stepUp: true,
    body: schemas.ExportGuest,
    reply: { 200: schemas.GuestExport },
    errors: ['not_found', 'conflict'],
    command: { name: 'guest export' },
  },
  'operator.guest.erase': {
    call: 'POST /operator/v1/guests/erase',
    summary: 'Erase one person permanently',
    description: `The reservations stay, with amounts and dates and without the guest. \`conflict\`: a stay that was not cancelled is not over, money is open, or an outcome is not known; then nothing is erased. Or ${notIndexed} Very many bookings are erased some at a time: after a call that was broken off, another goes on.`,
    scope: 'reservations',
    stepUp: true,
    body: schemas.EraseGuest,
    reply: { 200: schemas.GuestErasure },
    errors: ['not_found', 'conflict'],
    previews: true,
    command: { name: 'guest erase', needsOneOf: ['email', 'reference', 'from'] },
  },
} as const satisfies StatedRows);
