import { isSameInput } from '../../api/call.ts';
import type { MaybePromise } from '../../api/maybe-promise.ts';
import { again } from '../../api/operation.ts';
import { refuse, refuseBecause, type InvalidField } from '../../contract/errors.ts';
import { signalJoins, type CaptureSignal } from '../../contract/partner/schemas/signal.ts';
import { findSignalDigest, insertSignal } from '../store/signals.ts';
import { findJoin } from '../join.ts';
import { intakeOf, signalMeaning, signalRefusal, stateAgreesWith } from '../intake.ts';
import { type BookingContext, create } from '../../bookings/index.ts';
import { catalogOf } from '../../catalog/index.ts';
import { decideInTime } from '../../inventory/index.ts';

const accepted = (signalId: string) => ({ signalId, accepted: true as const });

const refusedFields = (
  context: BookingContext,
  body: CaptureSignal,
): MaybePromise<InvalidField[]> =>
  decideInTime(
    context,
    (now) => signalRefusal(body, now),
    (fields) => fields.length > 0,
  );

/** Captures a signal. The `occurredAt` of a repeat is not checked again. Spec: SIGNAL-6. */
export const captureSignal = create('cdp.signal.capture', {
  inputOf: ({ body }) => signalMeaning(body),
  async load(call) {
    const { context, actor, resourceId, body } = call;
    const { executor } = context;
    const { applicationId } = actor;
    const existing = await findSignalDigest(executor, applicationId, resourceId);
    const isRepeat = existing !== undefined && isSameInput(call, existing);
    const fields = isRepeat ? [] : await refusedFields(context, body);
    if (fields.length > 0) return refuse('invalid_input', { fields });
    const isListing = (listingId: string) => catalogOf(call).find(listingId) !== undefined;
    const join = await findJoin(executor, applicationId, body, isListing);
    if (!join) {
      const message = `There is no resource with this ${signalJoins[body.name]}.`;
      return refuseBecause('not_found', message);
    }
    return { existingDigest: existing ?? null, join, ...join.checkout };
  },
  alive: () => null,
  async decide({ context, actor, resourceId, body }, { join }) {
    const { applicationId } = actor;
    if (join.checkout && !stateAgreesWith(body.name, join.checkout.checkout)) {
      // The same signal may have been stored before the checkout changed.
      const existing = await findSignalDigest(context.executor, applicationId, resourceId);
      if (existing) return again;
      return refuseBecause('invalid_state', `The state of the checkout contradicts ${body.name}.`);
    }
    return { ...intakeOf(body, join), applicationId, signalId: resourceId };
  },
  async write({ context, inputDigest }, signal, { join }) {
    const version = join.checkout?.checkout.version;
    return (await insertSignal(context.executor, signal, inputDigest, version)) ? signal : again;
  },
  reply: ({ resourceId }) => ({ status: 201, body: accepted(resourceId) }),
  repeat: ({ resourceId }) => ({ status: 200, body: accepted(resourceId) }),
});
