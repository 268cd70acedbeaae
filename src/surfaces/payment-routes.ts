import type { FastifyInstance } from 'fastify';
import { createBuckets, rateRefusal } from '../access/index.ts';
import { askPort } from '../bookings/index.ts';
import { refuse, refuseBecause } from '../contract/errors.ts';
import { sendRefusal } from '../api/server.ts';
import type { PaymentEventSource, PaymentNotice, TryPage } from '../payments/index.ts';

/** The events of the card provider, and what happens with them. */
export interface PaymentEvents extends PaymentEventSource {
  /** Takes an event. `later`, or an error: the provider sends it again. */
  take(notice: PaymentNotice): Promise<'taken' | 'later'>;
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
        if (notice === 'forged' || notice === 'malformed') {
          return sendRefusal(request, reply, forged);
        }
        const taken = notice === 'irrelevant' ? 'taken' : await events.take(notice);
        if (taken === 'later') return sendRefusal(request, reply, refuse('unavailable'));
        return reply.header('cache-control', 'no-store').send({ received: true });
      },
    });
  });
}

const paidPage = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Payment received</title>
  </head>
  <body>
    <h1>Thank you</h1>
    <p>Your payment was received. You can close this page.</p>
  </body>
</html>
`;

/** Serves the page to which the card provider sends a guest who has paid a payment link. Nothing of it runs. */
export function paidPageRoute(app: FastifyInstance): void {
  const headers = {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  };
  app.get('/payments/paid', async (_request, reply) =>
    reply.headers(headers).type('text/html; charset=utf-8').send(paidPage),
  );
}

const unknownSecret = refuseBecause('not_found', 'The card provider knows no such client secret.');
const stateWithinMs = 5_000;
// Two demos, each of which reads once a second.
const statesPerMinute = 120;

/**
 * Serves the page to try the card fields, and the state behind a client secret, which the demo reads. The
 * page itself may not call this service, so no card can get here. Each state is a call of the provider, whose
 * limit the bookings share, so a source reads at most 120 a minute.
 */
export function tryPageRoutes(app: FastifyInstance, page: TryPage, base: string): void {
  const { path, policy, script } = page;
  const html = page.write(base);
  const headers = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };
  const sources = createBuckets();
  app.get(path, async (_request, reply) =>
    reply
      .headers({ ...headers, 'content-security-policy': policy })
      .type('text/html; charset=utf-8')
      .send(html),
  );
  app.get(`${path}/page.js`, async (_request, reply) =>
    reply.headers(headers).type('text/javascript; charset=utf-8').send(script),
  );
  app.post<{ Body: { clientSecret?: unknown } | null }>(`${path}/state`, async (request, reply) => {
    const tooMany = rateRefusal(sources.take(request.ip, statesPerMinute));
    if (tooMany) return sendRefusal(request, reply, tooMany);
    const secret = String(request.body?.clientSecret);
    const found = await askPort(stateWithinMs, (signal) => page.findState(secret, signal));
    if (found.outcome === 'unknown') return sendRefusal(request, reply, refuse('unavailable'));
    return found.state
      ? reply.headers(headers).send(found.state)
      : sendRefusal(request, reply, unknownSecret);
  });
}
