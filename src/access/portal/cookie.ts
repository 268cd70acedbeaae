import { sessionCookie, type SessionCookie } from '../../api/session-cookie.ts';
import { portalLimits } from '../../contract/portal/limits.ts';

/** The cookie of a portal session. */
export const portalCookie: SessionCookie = sessionCookie(
  'latchkey_portal',
  '/portal',
  portalLimits.sessionHours,
);
