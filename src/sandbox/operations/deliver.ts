import { uuidOfEvent } from '../../events/index.ts';
import { countOrdered, orderDeliveries } from '../../webhooks/index.ts';
import { refuse } from '../../contract/errors.ts';
import { refuseSandbox } from '../../contract/sandbox/errors.ts';
import { sandboxLimits } from '../../contract/sandbox/limits.ts';
import { read } from '../context.ts';
import { hasEvent } from '../store/events.ts';

const tooMany = {
  ...refuse('rate_limited'),
  message: `At most ${sandboxLimits.deliveriesWaiting} ordered deliveries can wait.`,
  retryAfterSeconds: 5,
};

/** The other event is sent this much later, so that it arrives after this one. */
const nextAfterSeconds = 0.5;

/** Spec: SANDBOX-3. */
export const deliverEvent = read('sandbox.event.deliver', {
  notFound: 'There is no event with this eventId.',
  async load({ context, actor: { applicationId }, params, body: { before } }) {
    const named = [params.eventId, ...(before === undefined ? [] : [before])].map(uuidOfEvent);
    for (const eventId of named) {
      if (!(await hasEvent(context.executor, applicationId, eventId))) return undefined;
    }
    return { eventId: named[0]!, next: named[1] };
  },
  async reply({ context, actor: { applicationId }, body }, { eventId, next }) {
    const { executor } = context;
    const { copies = 1, afterSeconds = 0, badSignature = false, timestampSkewSeconds = 0 } = body;
    if ((await countOrdered(executor, applicationId)) >= sandboxLimits.deliveriesWaiting) {
      return tooMany;
    }
    const order = {
      applicationId,
      eventId,
      copies,
      afterSeconds,
      badSignature,
      skewSeconds: timestampSkewSeconds,
    };
    const ordered = await orderDeliveries(executor, order);
    if (ordered.length === 0) return refuseSandbox('invalid_state', 'no_endpoint');
    const following =
      next === undefined
        ? []
        : await orderDeliveries(executor, {
            ...order,
            eventId: next,
            copies: 1,
            afterSeconds: afterSeconds + nextAfterSeconds,
            badSignature: false,
            skewSeconds: 0,
          });
    context.wakeDeliveries();
    return { status: 202, body: { deliveries: ordered.length + following.length } };
  },
});
