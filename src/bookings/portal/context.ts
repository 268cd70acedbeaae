import { portalActs, type PortalContext, type Quotas } from '../../access/index.ts';
import type { ListDeliveries } from '../timeline.ts';

/** The dependencies of the portal's operations on bookings and quotas. */
export interface BookingPortalContext extends PortalContext {
  listDeliveries: ListDeliveries;
  quotas: Quotas;
  /** Whether quotas count the calls of all processes now. */
  quotasAreShared(): boolean;
}

/** Binds rows of the portal's table to functions of this subject. */
export const bookingPortalActs = portalActs<BookingPortalContext>();
