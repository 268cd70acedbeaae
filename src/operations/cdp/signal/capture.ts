import { refuse, refuseBecause, type InvalidField } from '../../../contract/errors.ts';
import { signalJoins, type CaptureSignal } from '../../../contract/schemas/signal.ts';
import { findSignalDigest, insertSignal } from '../../../db/signals.ts';
import {
  findJoin,
  intakeOf,
  signalMeaning,
  signalRefusal,
  stateBearsOut,
  type Join,
} from '../../../signals/index.ts';
import type { House, Operation } from '../../call.ts';
import { inputDigest } from '../../identity.ts';
import { decideInTime } from '../../in-time.ts';
import { sessionOfCallRefusal } from '../../reservation/checkout/open.ts';

const refusedFields = (house: House, body: CaptureSignal): Promise<InvalidField[]> =>
  decideInTime(
    house,
    (now) => signalRefusal(body, now),
    (fields) => fields.length > 0,
  );

/** A repeat was in time when it was first sent, so its `occurredAt` is not looked at again. Spec: Signal rules. */
export const captureSignal: Operation<'cdp.signal.capture'> = async (house, call) => {
  const { executor } = house;
  const { application, body } = call;
  const { applicationId } = application;
  const isListing = (listingId: string) => house.catalog.current().find(listingId) !== undefined;
  const digest = inputDigest(executor.vault, signalMeaning(body));

  for (;;) {
    const existing = await findSignalDigest(executor, applicationId, call.resourceId);
    const isRepeat = existing?.equals(digest) ?? false;
    const fields = isRepeat ? [] : await refusedFields(house, body);
    if (fields.length > 0) return refuse('invalid_input', { fields });
    const join: Join | null = await findJoin(executor, applicationId, body, isListing);
    if (!join) {
      const message = `There is no resource with this ${signalJoins[body.name]}.`;
      return refuseBecause('not_found', message);
    }
    if (join.checkout && body.checkoutId !== undefined) {
      const { session, present } = join.checkout;
      const params = { checkoutId: body.checkoutId };
      const refusal = sessionOfCallRefusal(house, { ...call, params }, session, present);
      if (refusal) return refusal;
    }
    if (isRepeat) {
      call.exempt();
      return { status: 200, body: { signalId: call.resourceId, accepted: true } };
    }
    const over = call.meter();
    if (over) return over;
    if (existing) return refuse('conflict', { reason: 'different_input' });
    if (join.checkout && !stateBearsOut(body.name, join.checkout.checkout)) {
      // The same one may have been taken in before the checkout moved on.
      if (await findSignalDigest(executor, applicationId, call.resourceId)) continue;
      return refuseBecause('invalid_state', `The state of the checkout contradicts ${body.name}.`);
    }
    const signal = { ...intakeOf(body, join), applicationId, signalId: call.resourceId };
    if (await insertSignal(executor, signal, digest, join.checkout?.checkout.version)) {
      return { status: 201, body: { signalId: call.resourceId, accepted: true } };
    }
  }
};
