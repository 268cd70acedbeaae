import { findApplication } from '../../access/index.ts';
import { tiers } from '../../contract/limits.ts';
import { refusePortal } from '../../contract/portal/errors.ts';
import { countReservationsOfToday } from '../store/reservation-days.ts';
import { bookingPortalActs } from './context.ts';

/** How much of each quota, and of the daily limit, is used. */
export const portalQuotaActs = bookingPortalActs({
  'portal.quota.get': async ({ context, actor: { applicationId } }) => {
    const { database, quotas } = context;
    const application = await findApplication(database, applicationId);
    // It was deleted a moment ago.
    if (!application) return refusePortal('unauthenticated', 'session');
    const uses = tiers.map(async (tier) => {
      const { remaining, ...state } = await quotas.state(application, tier);
      return { tier, limit: application.quotas[tier], available: remaining, ...state };
    });
    const { reservationsPerDay: limit } = application;
    return {
      tiers: await Promise.all(uses),
      // After the states: with Redis, they show whether it can be reached.
      exact: context.quotasAreShared(),
      reservationsPerDay:
        limit === null
          ? null
          : { limit, used: await countReservationsOfToday(database, applicationId) },
    };
  },
});
