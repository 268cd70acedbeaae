import { actOnReservation, endQuote, endSession } from '../../bookings/index.ts';
import { catalogOf } from '../../catalog/index.ts';
import { isRefusal, refuse } from '../../contract/errors.ts';
import type { SandboxBodyOf } from '../../contract/sandbox/operations.ts';
import { read, type SandboxContext } from '../context.ts';
import {
  endEvents,
  endTokens,
  freeAllNights,
  isTakenByAnother,
  orderOutcome,
} from '../store/orders.ts';

type ExpireBody = SandboxBodyOf<'sandbox.expire'>;

/** Ends what the body names. False: there is no such thing. */
async function end(
  { executor, recent, now }: SandboxContext,
  applicationId: string,
  { quoteId, checkoutId, feedBefore }: ExpireBody,
): Promise<boolean> {
  if (quoteId !== undefined) {
    const isEnded = await endQuote(executor, applicationId, quoteId.toLowerCase());
    recent.quotes.drop();
    recent.checkouts.drop();
    return isEnded;
  }
  if (checkoutId !== undefined) {
    const isEnded = await endSession(executor, applicationId, checkoutId.toLowerCase());
    recent.checkouts.drop();
    return isEnded;
  }
  if (feedBefore !== undefined) await endEvents(executor, applicationId, feedBefore);
  else await endTokens(executor, applicationId, now(), null);
  return true;
}

/** Spec: SANDBOX-3. */
export const expire = read('sandbox.expire', {
  load({ body }) {
    if (Object.keys(body).length === 1) return {};
    const message = 'must have exactly one of token, quoteId, checkoutId and feedBefore';
    return refuse('invalid_input', { fields: [{ path: '', message }] });
  },
  async reply({ context, actor: { applicationId }, body }) {
    if (!(await end(context, applicationId, body))) return refuse('not_found');
    if (body.token) await context.takeEffect(applicationId);
    return { status: 204, body: null };
  },
});

/** Spec: SANDBOX-3. */
export const act = read('sandbox.reservation.act', {
  notFound: 'There is no reservation with this reference.',
  load({ body: { act: kind, changes } }) {
    const isWhole = kind === 'cancel' ? changes === undefined : changes !== undefined;
    if (isWhole) return {};
    const message = kind === 'cancel' ? 'must be absent for a cancellation' : 'is required';
    return refuse('invalid_input', { fields: [{ path: '/changes', message }] });
  },
  async reply(call) {
    const { context, actor, params, body } = call;
    const { changes } = body;
    const { applicationId, application } = actor;
    const listingId = changes?.listingId?.toLowerCase();
    const acted = await actOnReservation(
      context.executor,
      { applicationId, adjustPercent: application.adjustPercent },
      params.reference,
      { act: body.act, changes: { ...changes, listingId } },
      catalogOf(call),
      (reservation, stay) =>
        isTakenByAnother(
          context.executor,
          applicationId,
          { ...reservation, ...stay } as typeof reservation,
          reservation,
        ),
    );
    if (!acted) return refuse('not_found');
    if (isRefusal(acted)) return acted as never;
    context.wakeDeliverer(applicationId);
    return { status: 200, body: acted };
  },
});

/** Spec: SANDBOX-3. */
export const orderNextOutcome = read('sandbox.outcome.order', {
  async reply({ context, actor: { applicationId }, body }) {
    const ordered = await orderOutcome(context.executor, applicationId, body);
    if (body.occupy === false) await freeAllNights(context.executor, applicationId);
    await context.takeEffect(applicationId);
    return { status: 200, body: ordered as typeof ordered & { outcome: null } };
  },
});
