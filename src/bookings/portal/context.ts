import { type PortalContext, portalKinds, type Quotas } from '../../access/index.ts';
import type { ListDeliveries } from '../timeline.ts';

/** The dependencies of the portal's operations on bookings and quotas. */
export interface BookingPortalContext extends PortalContext {
  listDeliveries: ListDeliveries;
  quotas: Quotas;
  /** Whether quotas count the calls of all processes now. */
  quotasAreShared(): boolean;
}

/** The kinds of operation of this subject in the portal. */
export const { act } = portalKinds<BookingPortalContext>();
