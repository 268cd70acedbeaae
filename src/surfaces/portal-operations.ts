import { ownKeyActs, ownSessionActs, portalSessionOperations } from '../access/index.ts';
import type { Operation } from '../api/operation.ts';
import {
  type BookingPortalContext,
  portalBookingActs,
  portalQuotaActs,
  portalSimulationActs,
  portalStatementActs,
} from '../bookings/index.ts';
import type { PortalOperationId } from '../contract/portal/operations.ts';
import { portalEventActs } from '../events/index.ts';
import { portalRequestActs } from '../request-log/index.ts';
import { portalDeliveryActs, portalEndpointActs } from '../webhooks/index.ts';

/** The operation of each row of the portal's table. A missing one does not compile. */
export const portalOperations: {
  readonly [Id in PortalOperationId]: Operation<Id, BookingPortalContext>;
} = {
  ...portalSessionOperations,
  ...ownSessionActs,
  ...ownKeyActs,
  ...portalEndpointActs,
  ...portalDeliveryActs,
  ...portalEventActs,
  ...portalBookingActs,
  ...portalSimulationActs,
  ...portalStatementActs,
  ...portalQuotaActs,
  ...portalRequestActs,
};
