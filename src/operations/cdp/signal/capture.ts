import { again } from '../../../api/operation.ts';
import { refuse } from '../../../contract/errors.ts';
import { findSignalDigest, insertSignal } from '../../../db/signals.ts';
import { findJoin, intakeOf, signalRefusal, stateBearsOut } from '../../../signals/index.ts';
import { create } from '../../kinds.ts';

const accepted = (signalId: string) => ({ signalId, accepted: true as const });

/** A repeat was in time when it was first sent, so its `occurredAt` is not looked at again. Spec: Signal rules. */
export const captureSignal = create('cdp.signal.capture', {
  async load({ context, actor, resourceId, inputDigest, body }) {
    const { executor, catalog } = context;
    const { applicationId } = actor;
    const existing = await findSignalDigest(executor, applicationId, resourceId);
    const isRepeat = existing?.equals(inputDigest) ?? false;
    const fields = isRepeat ? [] : signalRefusal(body, context.now());
    if (fields.length > 0) return refuse('invalid_input', { fields });
    const isListing = (listingId: string) => catalog.current().find(listingId) !== undefined;
    const join = await findJoin(executor, applicationId, body, isListing);
    if (!join) return undefined;
    return { existingDigest: existing ?? null, join, ...join.checkout };
  },
  async decide({ context, actor, resourceId, body }, { join }) {
    const { applicationId } = actor;
    if (join.checkout && !stateBearsOut(body.name, join.checkout.checkout)) {
      // The same one may have been taken in before the checkout moved on.
      const existing = await findSignalDigest(context.executor, applicationId, resourceId);
      return existing ? again : refuse('invalid_state');
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
