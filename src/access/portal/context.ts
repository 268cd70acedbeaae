import type { Actor } from '../../api/call.ts';
import type { Environment } from '../../contract/wire.ts';
import type { WithReads } from '../../platform/postgres/replica.ts';
import type { PortalSession } from '../store/portal-sessions.ts';

/** The dependencies of the portal's operations. */
export interface PortalContext extends WithReads {
  environment: Environment;
  /** The service calls nothing outside. */
  isCopy: boolean;
  baseUrl: string;
  /** Whether endpoints may be on loopback with plain HTTP. */
  loopbackAllowed: boolean;
  /** Call after a commit of something that can be delivered now. */
  wakeDeliverer(): void;
}

/** The dependencies of actions on endpoints. */
export type EndpointContext = Pick<PortalContext, 'database' | 'loopbackAllowed' | 'wakeDeliverer'>;

/** The application that an action is for, and the name of its actor in the audit trail. */
export interface EndpointActor {
  applicationId: string;
  name: string;
}

/** An actor in a portal session of an application. */
export interface PortalActor extends Actor, EndpointActor {
  applicationId: string;
  session: PortalSession;
  /** The secret of the session's cookie. */
  secret: string;
}
