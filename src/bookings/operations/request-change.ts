import { catalogOf } from '../../catalog/index.ts';
import { again, type Again } from '../../api/operation.ts';
import { isRefusal, refuse, type Refusal } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import type { ChangePreview } from '../../contract/partner/schemas/change-request.ts';
import {
  comparableParty,
  normaliseParty,
  partyProblems,
  stayInputRefusal,
  stayOf,
  todayAt,
} from '../../pricing/index.ts';
import { type BookingCreateCall, create } from '../context.ts';
import {
  askingRefusal,
  type ChangeRequest,
  effectRefusal,
  kindRefusal,
  requestedStay,
} from '../rules/change-request.ts';
import { decideChange } from '../rules/change-reservation.ts';
import { cancelReservation } from '../staff/cancel-reservation.ts';
import { factsOf } from '../staff/change-reservation.ts';
import { refundAmountsOf, type ReservationForStaff } from '../staff/views.ts';
import {
  countRequests,
  findChangeRequest,
  findOpenRequest,
  insertChangeRequest,
  type NewChangeRequest,
} from '../store/change-requests.ts';
import { findReservationInFull } from '../store/staff-reservations.ts';
import { decideBookable, takenRefusal, withAlternatives } from './bookable-stay.ts';
import { changeRequestView } from './change-request-view.ts';

type CreateCall = BookingCreateCall<'reservation.change.request'>;

/** Reads a reservation of the application with its money. */
async function findInFull({
  context,
  actor,
  params,
}: CreateCall): Promise<ReservationForStaff | undefined> {
  const { executor, staff } = context;
  const inFull = await findReservationInFull(executor, params.reference);
  if (inFull?.reservation.applicationId !== actor.applicationId) return undefined;
  return { ...inFull, balances: await staff.money.balances(executor, inFull.reservation) };
}

const askedFor = ({ body }: CreateCall): Pick<ChangeRequest, 'checkIn' | 'checkOut' | 'party'> => ({
  checkIn: body.checkIn ?? null,
  checkOut: body.checkOut ?? null,
  party: body.party ? normaliseParty(body.party) : null,
});

/** What a cancellation would refund now. */
const cancellationPreview = (inFull: ReservationForStaff): ChangePreview => ({
  currency: inFull.reservation.charges.currency,
  total: null,
  difference: null,
  refund: refundAmountsOf(inFull).byTerms,
});

/** What a change would cost, or why the changed stay cannot be booked. */
async function changePreview(
  call: CreateCall,
  inFull: ReservationForStaff,
): Promise<ChangePreview | Refusal> {
  const { context } = call;
  const { reservation, booking, now } = inFull;
  const after = requestedStay(reservation, askedFor(call));
  const noEffect = effectRefusal(reservation, after);
  if (noEffect) return noEffect;
  if (!catalogOf(call).find(reservation.listingId)) {
    return { ...refuse('not_found'), message: 'The catalog no longer has the home of this stay.' };
  }
  const facts = await factsOf(context.executor, inFull, undefined);
  if (isRefusal(facts)) return facts;
  const { listing, adjustmentPercent } = facts;
  const stay = stayOf(after);
  const fields = stayInputRefusal(stay, todayAt(now, listing.timeZone));
  if (fields.length > 0) return refuse('invalid_input', { fields });
  const change = decideChange(facts, after, 'recalculate');
  const own = { attemptId: booking.attemptId, stay: stayOf(reservation) };
  const wanted = { listing, stay, party: after.party, now, adjustmentPercent, own };
  const bookable = await decideBookable(context, wanted, !isRefusal(change));
  const refused = isRefusal(bookable) ? bookable : takenRefusal(bookable.taken);
  if (refused) return withAlternatives(context, refused, (at) => ({ ...wanted, now: at }));
  if (isRefusal(change)) throw new Error('a stay without a price is refused');
  const { currency, total } = change.update.next.charges;
  return { currency, total, difference: total - reservation.charges.total, refund: null };
}

const isAtOnce = ({ actor, body }: CreateCall): boolean =>
  body.kind === 'cancel' && actor.application.changes === 'cancel';

/** Writes an accepted request together with its cancellation. Spec: CHANGE-5. */
async function cancelAtOnce(
  { context, actor, inputDigest }: CreateCall,
  made: NewChangeRequest,
): Promise<ChangeRequest | Again> {
  const { reference, changeRequestId, preview } = made;
  const written: ChangeRequest[] = [];
  const done = await cancelReservation(context.staff, `application ${actor.application.name}`, {
    reference,
    reason: 'The partner asked for it.',
    request: {
      changeRequestId,
      preview,
      async accept(executor) {
        const request = await insertChangeRequest(executor, made, inputDigest);
        if (request) written.push(request);
        return request !== undefined;
      },
    },
  });
  // Something has changed since it was decided: it is decided again.
  if (isRefusal(done)) return again;
  return written.at(-1) ?? again;
}

/** Spec: CHANGE-1, CHANGE-2. */
export const requestChange = create('reservation.change.request', {
  notFound: 'There is no reservation with this reference.',
  inputOf({ body, params }) {
    const { changeRequestId: _, party, ...rest } = body;
    return {
      ...rest,
      reference: params.reference,
      ...(party && { party: comparableParty(normaliseParty(party)) }),
    };
  },
  async load(call) {
    const { context, actor, params, resourceId, body } = call;
    const fields = body.party ? partyProblems(body.party) : [];
    const invalid =
      kindRefusal(body) ?? (fields.length > 0 ? refuse('invalid_input', { fields }) : null);
    if (invalid) return invalid;
    const { executor } = context;
    // In this order: a cancellation that ends the open one is then seen in the reservation, too.
    const open = await findOpenRequest(executor, params.reference);
    const inFull = await findInFull(call);
    if (!inFull) return undefined;
    // Read last: if the open one is this one, it is found as a repeat.
    const name = { applicationId: actor.applicationId, changeRequestId: resourceId };
    const existing = await findChangeRequest(executor, name);
    return {
      existingDigest: existing?.inputDigest ?? null,
      existing: existing?.request ?? null,
      openRequestId: open?.changeRequestId ?? null,
      requests: await countRequests(executor, params.reference, limits.requestsOfReservation),
      inFull,
    };
  },
  alive: () => null,
  async decide(call, { inFull, openRequestId, requests }) {
    const { actor, resourceId, params, body } = call;
    const { reservation, now, home } = inFull;
    const before = { openRequestId, requests };
    const refused = askingRefusal(reservation, before, todayAt(now, home.timeZone));
    if (refused) return refused;
    const preview =
      body.kind === 'cancel' ? cancellationPreview(inFull) : await changePreview(call, inFull);
    if (isRefusal(preview)) return preview as Refusal<'conflict'>;
    return {
      applicationId: actor.applicationId,
      changeRequestId: resourceId,
      reference: params.reference,
      kind: body.kind,
      ...askedFor(call),
      note: body.note ?? null,
      preview,
      state: isAtOnce(call) ? ('accepted' as const) : ('open' as const),
      version: reservation.version,
    };
  },
  async write(call, made) {
    if (made.state === 'accepted') return cancelAtOnce(call, made);
    return (await insertChangeRequest(call.context.executor, made, call.inputDigest)) ?? again;
  },
  reply: (_call, request) => ({ status: 201, body: changeRequestView(request) }),
  repeat(_call, { existing }) {
    if (!existing) throw new Error('a repeat has what it repeats');
    return { status: 200, body: changeRequestView(existing) };
  },
});
