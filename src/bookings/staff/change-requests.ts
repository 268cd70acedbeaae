/** What staff do with requests of partners to cancel or change a reservation. */
import { pageForStaff, type PageRequest } from '../../access/index.ts';
import { isRefusal, type Refusal } from '../../contract/errors.ts';
import { refuseConflict, refuseStaff } from '../../contract/operator/errors.ts';
import type { Guest } from '../../contract/partner/schemas/checkout.ts';
import { auditedChange } from '../../platform/audit/audited-change.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import { changeRequestView } from '../operations/change-request-view.ts';
import type { ChangeRequest } from '../rules/change-request.ts';
import {
  type ChangeRequestFilter,
  findChangeRequestsById,
  listChangeRequests,
  type ListedChangeRequest,
  writeDecision,
} from '../store/change-requests.ts';
import { namedGuest, readGuestsOfReservations } from '../store/guest-names.ts';
import { decidedMeanwhile, totalRefusal } from './accepted-request.ts';
import { cancelReservation } from './cancel-reservation.ts';
import { changeReservation } from './change-reservation.ts';
import type { StaffContext } from './context.ts';

const viewWith = (
  { request, listing, listingName, application }: ListedChangeRequest,
  guests: ReadonlyMap<string, Guest | null>,
) => ({
  ...changeRequestView(request),
  listing,
  listingName,
  ...namedGuest(guests.get(request.reference)),
  applicationId: request.applicationId,
  application,
});

/** Requests as staff see them. */
async function staffViews(executor: Executor, found: readonly ListedChangeRequest[]) {
  const references = found.map(({ request }) => request.reference);
  const guests = await readGuestsOfReservations(executor, references);
  return found.map((listed) => viewWith(listed, guests));
}

async function staffView(executor: Executor, listed: ListedChangeRequest) {
  const guests = await readGuestsOfReservations(executor, [listed.request.reference]);
  return viewWith(listed, guests);
}

/** Lists requests, newest first; open ones, unless a state is named. */
export async function listRequestsForStaff(
  executor: Executor,
  { state = 'open', reference }: ChangeRequestFilter,
  page: PageRequest,
) {
  type Position = [createdAt: number, applicationId: string, changeRequestId: string];
  const filter = { state, reference };
  const found = await pageForStaff(
    executor.vault,
    {
      operation: 'staff.changeRequest.list',
      filters: filter,
      read: (after: Position | null, atMost) =>
        listChangeRequests(
          executor,
          filter,
          after && { createdAt: after[0], applicationId: after[1], changeRequestId: after[2] },
          atMost,
        ),
      positionOf: ({ request }): Position => [
        request.createdAt,
        request.applicationId,
        request.changeRequestId,
      ],
    },
    page,
  );
  return isRefusal(found) ? found : { ...found, items: await staffViews(executor, found.items) };
}

/** How staff name a request. The ID is enough unless several applications have it. */
interface RequestName {
  changeRequestId: string;
  applicationId?: string | undefined;
}

/** A decision of staff about a request. */
export interface DecisionInput extends RequestName {
  /** The partner sees it. */
  reason?: string | undefined;
  /** The total that staff have seen, in minor units; absent: any. */
  expectedTotal?: number | undefined;
}

/** Finds a request. Refuses if there is none, or more than one. */
async function requestNamed(
  executor: Executor,
  { changeRequestId, applicationId }: RequestName,
): Promise<ListedChangeRequest | Refusal<'not_found' | 'conflict'>> {
  const found = await findChangeRequestsById(executor, changeRequestId);
  const named = found.filter(
    ({ request }) => applicationId === undefined || request.applicationId === applicationId,
  );
  const [one, ...others] = named;
  if (!one) return refuseStaff('not_found', `There is no request ${changeRequestId}.`);
  if (others.length === 0) return one;
  const names = named.map(({ application }) => application).join(', ');
  return refuseConflict(
    `${changeRequestId} names requests of ${names}: choose one with --application.`,
  );
}

/** The refusal of a decision about a decided request; null: it is open. */
const decidedRefusal = ({ state }: Pick<ChangeRequest, 'state'>): Refusal<'conflict'> | null =>
  state === 'open' ? null : refuseConflict(`The request is ${state} already, which is final.`);

const reasonForAudit = 'The partner asked for it.';

/**
 * Accepts a request: cancels or changes the reservation as it asks, if that still is what the partner has seen. If it is
 * refused, the request stays open. Spec: CHANGE-3.
 */
export async function acceptRequest(
  context: StaffContext,
  actor: string,
  input: DecisionInput & { dryRun?: boolean },
) {
  const { database } = context;
  const { reason, expectedTotal, dryRun = false } = input;
  const named = await requestNamed(database, input);
  if (isRefusal(named)) return named;
  const { request } = named;
  const decided = decidedRefusal(request);
  if (decided) return decided;
  const { reference, kind, changeRequestId, preview, applicationId } = request;
  const act = {
    reference,
    reason: reason === undefined || reason === '' ? reasonForAudit : reason,
    dryRun,
    request: {
      changeRequestId,
      preview,
      expectedTotal,
      accept: async (executor: Executor) =>
        (await writeDecision(executor, request, 'accepted', reason ?? null)) !== undefined,
    },
  };
  const cancellation = kind === 'cancel' ? await cancelReservation(context, actor, act) : null;
  if (isRefusal(cancellation)) return cancellation;
  const change =
    kind === 'change'
      ? await changeReservation(context, actor, {
          ...act,
          ...(request.checkIn !== null && { checkIn: request.checkIn }),
          ...(request.checkOut !== null && { checkOut: request.checkOut }),
          ...(request.party && { party: request.party }),
          price: 'recalculate',
        })
      : null;
  if (isRefusal(change)) return change;
  const shown = await requestNamed(database, { changeRequestId, applicationId });
  if (isRefusal(shown)) return shown;
  return { ...(await staffView(database, shown)), dryRun, cancellation, change };
}

/** Declines a request: the reservation stays as it is. Spec: CHANGE-3. */
export async function declineRequest(context: StaffContext, actor: string, input: DecisionInput) {
  const { database, wakeDeliverer } = context;
  const { reason = null } = input;
  const listed = await requestNamed(database, input);
  if (isRefusal(listed)) return listed;
  const { request } = listed;
  const refused =
    decidedRefusal(request) ??
    totalRefusal(
      input.expectedTotal,
      request.preview.total ?? listed.total,
      request.preview.currency,
    );
  if (refused) return refused;
  const { applicationId, reference, changeRequestId } = request;
  const declined = await auditedChange(
    database,
    (executor) => writeDecision(executor, request, 'declined', reason),
    () => ({
      actor,
      action: 'change-request.decline',
      applicationId,
      reference,
      details: { changeRequestId, reason },
    }),
  );
  if (!declined) return decidedMeanwhile;
  wakeDeliverer(applicationId);
  return staffView(database, { ...listed, request: declined });
}
