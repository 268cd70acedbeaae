import { isRefusal, messageOf } from '../../contract/errors.ts';
import type { BookingContext } from '../context.ts';
import type { ChangeRequest } from '../rules/change-request.ts';
import { acceptRequest, declineRequest } from '../staff/change-requests.ts';
import { findChangeRequest, findDueRequest } from '../store/change-requests.ts';

const actor = 'simulation';
/** The note of a request that the simulation declines. */
const declinedNote = 'decline';

/** Decides the open request for a reservation once it is due, where nobody else does: in the simulation. Spec: CHANGE-6. */
export async function decideDueRequest(
  { executor, staff, decidesChangesAfterSeconds: seconds }: BookingContext,
  of: Pick<ChangeRequest, 'applicationId' | 'reference'>,
): Promise<unknown> {
  if (seconds === null) return undefined;
  const due = await findDueRequest(executor, of, seconds);
  const found = due && (await findChangeRequest(executor, due));
  if (!found) return undefined;
  const { note } = found.request;
  // A refusal: somebody else has decided it.
  if (note === declinedNote) return declineRequest(staff, actor, due);
  const accepted = await acceptRequest(staff, actor, due);
  // What can no longer be accepted must have an end, too.
  return isRefusal(accepted)
    ? declineRequest(staff, actor, { ...due, reason: messageOf(accepted) })
    : accepted;
}
