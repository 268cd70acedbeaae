import type { Refusal } from '../contract/errors.ts';
import type {
  PortalBodyOf,
  PortalErrorOf,
  PortalOperationId,
  PortalParamsOf,
  PortalQueryOf,
  PortalReplyOf,
} from '../contract/portal/operations.ts';
import type { Environment } from '../contract/wire.ts';
import type { Database } from '../db/database.ts';
import type { PortalSession } from '../db/portal-sessions.ts';

/** What the operations of the portal work with. */
export interface PortalHouse {
  database: Database;
  environment: Environment;
  baseUrl: string;
  /** Whether endpoints may lie on loopback, by plain HTTP. */
  loopbackAllowed: boolean;
  /** Something was committed that can be delivered at once. */
  wakeDeliverer(): void;
}

/** As much of it as acting on endpoints takes. */
export type EndpointHouse = Pick<PortalHouse, 'database' | 'loopbackAllowed' | 'wakeDeliverer'>;

/** For which application something is done, and who is named in the audit trail. */
export interface Visitor {
  applicationId: string;
  actor: string;
}

/** A call that has passed session, quota and validation. */
export interface PortalCall<Id extends PortalOperationId> {
  session: PortalSession;
  visitor: Visitor;
  params: PortalParamsOf<Id>;
  query: PortalQueryOf<Id>;
  body: PortalBodyOf<Id>;
}

/** An operation of the portal: everything after validation. */
export type PortalOperation<Id extends PortalOperationId> = (
  house: PortalHouse,
  call: PortalCall<Id>,
) => Promise<PortalReplyOf<Id> | Refusal<PortalErrorOf<Id>>>;
