/**
 * The statements of a booking before or after which `LATCHKEY_FAILPOINT` can kill the service. A random
 * number of executions is skipped, so that the statement of another booking is hit each time.
 */
export const failpoints: readonly string[] = [
  'after:insert-quote',
  'before:insert-booking',
  'after:insert-booking',
  'after:find-checkout:5',
  'before:transition-booking',
  // After the commit of a command, before its response, or after a resolution.
  'after:transition-booking',
  'after:transition-booking:4',
  'after:transition-booking:9',
  'before:transition-booking:6',
  'after:claim-bookings:3',
  'before:decide-simulated-attempt',
  'after:decide-simulated-attempt',
  'after:find-simulated-attempt',
  'after:postpone-booking',
  'after:materialize-reservations:2',
];
