import type { Actor } from '../../api/call.ts';
import type { Environment } from '../../contract/wire.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { PortalSession } from '../store/portal-sessions.ts';

/** What the operations of the portal work with. */
export interface PortalContext {
  database: Database;
  environment: Environment;
  baseUrl: string;
  /** Whether endpoints may lie on loopback, by plain HTTP. */
  loopbackAllowed: boolean;
  /** Something was committed that can be delivered at once. */
  wakeDeliverer(): void;
}

/** As much of it as acting on endpoints takes. */
export type EndpointContext = Pick<PortalContext, 'database' | 'loopbackAllowed' | 'wakeDeliverer'>;

/** For which application something is done, and who is named in the audit trail. */
export interface EndpointActor {
  applicationId: string;
  name: string;
}

/** Somebody who acts for an application, in a session of the portal. */
export interface PortalActor extends Actor, EndpointActor {
  applicationId: string;
  session: PortalSession;
  /** The secret of the session's cookie. */
  secret: string;
}
