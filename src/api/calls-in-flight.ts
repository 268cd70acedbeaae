import type { FastifyInstance } from 'fastify';
import { RefusalError, refuse } from '../contract/errors.ts';

/**
 * Refuses further calls of a client address that has this many without a response (429). Behind a proxy its
 * connections say nothing of who calls.
 */
export function limitCallsInFlight(
  app: FastifyInstance,
  most: number,
  networkOf: (address: string) => string | null,
): void {
  const ofNetworks = new Map<string, number>();
  app.addHook('onRequest', (request, reply, done) => {
    const network = networkOf(request.ip);
    if (network === null) return done();
    const calls = ofNetworks.get(network) ?? 0;
    if (calls >= most) {
      const message = `${most} calls from this address have no response yet: send it again.`;
      return done(new RefusalError({ ...refuse('rate_limited'), message, retryAfterSeconds: 1 }));
    }
    ofNetworks.set(network, calls + 1);
    reply.raw.once('close', () => {
      const left = ofNetworks.get(network)! - 1;
      if (left === 0) ofNetworks.delete(network);
      else ofNetworks.set(network, left);
    });
    done();
  });
}
