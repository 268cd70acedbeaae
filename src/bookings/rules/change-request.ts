import { limits } from '../../contract/limits.ts';
import { refuse, refuseBecause, type Refusal } from '../../contract/errors.ts';
import type { ChangePreview } from '../../contract/partner/schemas/change-request.ts';
import type { ChangeRequestKind, ChangeRequestState } from '../../contract/states.ts';
import type { EpochMs } from '../../contract/time.ts';
import { dayNumber, type DayNumber, type Party } from '../../pricing/index.ts';
import type { Reservation } from './booking.ts';
import { changedStay, isSameStay, type StayOfReservation } from './change-reservation.ts';

/** A partner's request to cancel or change a reservation. Spec: CHANGE-2. */
export interface ChangeRequest {
  applicationId: string;
  changeRequestId: string;
  reference: string;
  kind: ChangeRequestKind;
  /** What was asked for; null: it stays as it is. */
  checkIn: string | null;
  checkOut: string | null;
  party: Party | null;
  /** Null: none, or the guest was erased. */
  note: string | null;
  state: ChangeRequestState;
  preview: ChangePreview;
  /** What the partner is told about the decision. */
  reason: string | null;
  createdAt: EpochMs;
  decidedAt: EpochMs | null;
}

/** The stay that a request asks for. */
export const requestedStay = (
  reservation: Reservation,
  { checkIn, checkOut, party }: Pick<ChangeRequest, 'checkIn' | 'checkOut' | 'party'>,
): StayOfReservation =>
  changedStay(reservation, {
    checkIn: checkIn ?? undefined,
    checkOut: checkOut ?? undefined,
    ...(party && { party }),
  });

/** What was asked for a reservation before. */
export interface AskedBefore {
  /** The request that is not decided; null: there is none. */
  openRequestId: string | null;
  /** How many there were, counted up to their limit. */
  requests: number;
}

/** Why nothing can be asked for a reservation now; null: something can. `today`: the day at the property. */
export function askingRefusal(
  { state, checkOut }: Pick<Reservation, 'state' | 'checkOut'>,
  { openRequestId, requests }: AskedBefore,
  today: DayNumber,
): Refusal<'conflict'> | null {
  if (state !== 'confirmed' || today >= dayNumber(checkOut)) {
    return refuse('conflict', { reason: 'not_active' });
  }
  if (openRequestId !== null) {
    return refuse('conflict', { reason: 'open_request', changeRequestId: openRequestId });
  }
  return requests < limits.requestsOfReservation
    ? null
    : refuse('conflict', { reason: 'too_many_requests' });
}

const onlyWithChange = 'must be absent: a cancellation changes no stay';
const stayMembers = ['checkIn', 'checkOut', 'party'] as const;

/** A cancellation that also asks for another stay is not valid. */
export function kindRefusal(
  body: { kind: string } & { [Member in (typeof stayMembers)[number]]?: unknown },
): Refusal<'invalid_input'> | null {
  const fields =
    body.kind === 'cancel'
      ? stayMembers
          .filter((member) => body[member] !== undefined)
          .map((member) => ({ path: `/${member}`, message: onlyWithChange }))
      : [];
  return fields.length > 0 ? refuse('invalid_input', { fields }) : null;
}

/** Why a change changes nothing; null: it does. */
export const effectRefusal = (
  before: Reservation,
  after: StayOfReservation,
): Refusal<'conflict'> | null =>
  isSameStay(before, after) ? refuse('conflict', { reason: 'no_effect' }) : null;

/** Why a request cannot be withdrawn; null: it can. Spec: CHANGE-4. */
export const withdrawalRefusal = ({
  state,
}: Pick<ChangeRequest, 'state'>): Refusal<'invalid_state'> | null =>
  state === 'accepted' || state === 'declined'
    ? refuseBecause('invalid_state', `The request is ${state} already, which is final.`)
    : null;

const partOf = {
  total: 'The price',
  refund: 'The refund',
} as const;

/** What the partner has seen, and what is no longer so; null: it is. Spec: CHANGE-3. */
export function outdatedPart(
  seen: ChangePreview,
  now: Pick<ChangePreview, 'total' | 'refund'>,
): string | null {
  const part = (['total', 'refund'] as const).find((one) => seen[one] !== now[one]);
  return part === undefined
    ? null
    : `${partOf[part]} is ${now[part]} now, and the partner has seen ${seen[part]}: the request stays open. Decline it, so that the partner can ask again.`;
}
