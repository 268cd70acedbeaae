import { sessionCookie, type SessionCookie } from '../api/session-cookie.ts';
import { operatorLimits } from '../contract/operator/limits.ts';

/** The cookie of a session of staff. */
export const staffCookie: SessionCookie = sessionCookie(
  'latchkey_operator',
  '/operator',
  operatorLimits.sessionHours,
);
