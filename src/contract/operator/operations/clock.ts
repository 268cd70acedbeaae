import { tagged } from '../../complete-rows.ts';
import type { StatedRows } from '../row.ts';
import { ConfirmClock, DatabaseTime } from '../schemas/clock.ts';

/** The database's clock. */
export const clockRows = tagged('Clock', {
  'operator.clock.get': {
    call: 'GET /operator/v1/clock',
    summary: "Read the database's clock",
    description:
      'If it jumps by more than a minute, the service carries the time on and believes the clock again after it was right for a minute.',
    scope: 'read',
    reply: { 200: DatabaseTime },
    command: { name: 'clock show' },
  },
  'operator.clock.confirm': {
    call: 'POST /operator/v1/clock/confirm',
    summary: "Say that the database's clock is right",
    description:
      'The service goes by it again at once: what is due by it is swept and collected. Refused while the clock is believed.',
    scope: 'partners',
    stepUp: true,
    body: ConfirmClock,
    reply: { 200: DatabaseTime },
    errors: ['conflict'],
    command: { name: 'clock confirm' },
  },
} as const satisfies StatedRows);
