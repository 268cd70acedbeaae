import type { FastifyInstance } from 'fastify';
import { refuse } from './contract/errors.ts';
import { sendRefusal } from './api/server.ts';
import type { PaymentEventSource, PaymentNotice } from './payments/index.ts';

/** The events of the card provider, and what happens with them. */
export interface PaymentEvents extends PaymentEventSource {
  /** Takes an event; if it throws, the provider sends it again. */
  take(notice: PaymentNotice): Promise<void>;
}

// An event contains one object of the provider, a few kilobytes.
const largestEvent = 262_144;

const forged = refuse('invalid_input', {
  fields: [{ path: 'body', message: 'must be an event that the card provider has signed' }],
});

/**
 * Serves the address for the provider's events. An event without a right signature is refused with 400 and
 * does nothing; one that concerns no payment is accepted, so that the provider does not send it again.
 */
export async function paymentEventRoutes(
  app: FastifyInstance,
  { path, signatureHeader, ...events }: PaymentEvents,
): Promise<void> {
  await app.register(async (scope) => {
    // The signature is over the exact bytes.
    scope.removeAllContentTypeParsers();
    const bytes = { parseAs: 'buffer', bodyLimit: largestEvent } as const;
    scope.addContentTypeParser('*', bytes, (_request, body, done) => done(null, body));
    scope.route({
      method: 'POST',
      url: path,
      config: { operation: 'paymentEvent' },
      handler: async (request, reply) => {
        const signature = request.headers[signatureHeader];
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        const notice = typeof signature === 'string' ? events.read(body, signature) : 'forged';
        if (notice === 'forged') return sendRefusal(request, reply, forged);
        if (notice !== 'irrelevant') await events.take(notice);
        return reply.header('cache-control', 'no-store').send({ received: true });
      },
    });
  });
}
