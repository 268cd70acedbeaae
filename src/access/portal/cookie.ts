import { sessionCookie, type SessionCookie } from '../../api/session-cookie.ts';
import { portalLimits } from '../../contract/portal/limits.ts';

const lasting = (hours: number): SessionCookie =>
  sessionCookie('latchkey_portal', '/portal', hours);

/** The cookie of a portal session. */
export const portalCookie: SessionCookie = lasting(portalLimits.sessionHours);

/** The same for a session of a person, as long as the longest: the service knows when each ends. */
export const personCookie: SessionCookie = lasting(portalLimits.personSessionDaysAtMost * 24);
