import { listUncertain, resolveCheckout, showCheckout } from '../../bookings/index.ts';
import { act } from '../kinds.ts';
import { preview } from '../preview.ts';

/** Lists checkouts and requests whose outcome is not known. */
export const listCheckouts = act('operator.checkout.list', {
  reply: async ({ context, query }) => ({
    status: 200,
    body: await context.reads.run((from) => listUncertain(from, query)),
  }),
});

/** Shows a checkout or request with the evidence for its outcome. */
export const getCheckout = act('operator.checkout.get', {
  reply: async ({ context, params, query }) => ({
    status: 200,
    body: await showCheckout(context.bookings, { ...params, ...query }),
  }),
});

/** Shows what a resolution would write. */
export const previewResolve = act('operator.checkout.previewResolve', {
  async reply({ context, actor, params, body }) {
    const input = { ...params, ...body, ...preview };
    return { status: 200, body: await resolveCheckout(context.bookings, actor.name, input) };
  },
});

/** Resolves a checkout or request whose outcome is not known. */
export const resolve = act('operator.checkout.resolve', {
  async reply({ context, actor, params, body }) {
    const input = { ...params, ...body };
    return { status: 200, body: await resolveCheckout(context.bookings, actor.name, input) };
  },
});
