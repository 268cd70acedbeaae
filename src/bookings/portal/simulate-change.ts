import { isRefusal, type Refusal } from '../../contract/errors.ts';
import { refusePortal } from '../../contract/portal/errors.ts';
import type { PortalActor } from '../../access/index.ts';
import { auditedChange } from '../../platform/audit/audited-change.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import type { Announcement, Reservation } from '../rules/booking.ts';
import { decideAnnounced } from '../rules/reservation.ts';
import { findReservation, updateReservation } from '../store/reservations.ts';
import { bookingPortalActs } from './context.ts';

interface Changed {
  before: Reservation;
  after: Reservation;
}

/** Undefined: somebody else has changed it since it was read. */
async function changed(
  executor: Executor,
  { applicationId }: PortalActor,
  reference: string,
  change: Announcement['change'],
): Promise<Changed | Refusal<'not_found' | 'invalid_state'> | undefined> {
  const found = await findReservation(executor, applicationId, reference);
  if (!found) return refusePortal('not_found');
  const { reservation: before, now } = found;
  if (before.state !== 'confirmed') {
    return refusePortal('invalid_state', 'reservation_not_confirmed');
  }
  const update = decideAnnounced({ ...before, announced: { change, at: now } }, now);
  if (!update || !(await updateReservation(executor, update))) return undefined;
  return { before, after: update.next };
}

const stayOf = ({ state, version, checkIn, checkOut }: Reservation) => ({
  state,
  version,
  checkIn,
  checkOut,
});

/** Cancels or changes a reservation of the simulation now, as its reservations team would. */
export const portalSimulationActs = bookingPortalActs({
  'portal.reservation.simulate': async ({ context, actor, params, body: { change } }) => {
    const { reference } = params;
    if (context.environment !== 'simulation') {
      return refusePortal('policy_restricted', 'simulation_only');
    }
    for (;;) {
      const result = await auditedChange(
        context.database,
        (executor) => changed(executor, actor, reference, change),
        ({ before, after }) => ({
          actor: actor.name,
          action: 'reservation.simulate',
          applicationId: actor.applicationId,
          reference,
          details: { change, before: stayOf(before), after: stayOf(after) },
        }),
      );
      if (isRefusal(result)) return result;
      if (!result) continue;
      context.wakeDeliverer();
      const { state, checkIn, checkOut } = result.after;
      return { reference, state, checkIn, checkOut };
    }
  },
});
