import type { FastifyInstance } from 'fastify';
import { refuse, RefusalError } from '../contract/errors.ts';

/** Whether it can serve: throws where it cannot. */
export type ReadyCheck = () => Promise<void>;

/**
 * `/healthz`: the process runs. `/readyz`: it can serve; 503 first when it is about to stop, and from
 * then on no connection is kept for another request, so that none is cut while one is on its way.
 */
export function healthRoutes(
  app: FastifyInstance,
  readyCheck: ReadyCheck,
  isStopping: () => boolean,
): void {
  app.addHook('onRequest', (_request, reply, done) => {
    if (isStopping()) reply.header('connection', 'close');
    done();
  });
  app.get('/healthz', async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'alive' }),
  );
  app.get('/readyz', async (_request, reply) => {
    if (isStopping()) throw new RefusalError(refuse('unavailable'));
    await readyCheck();
    return reply.header('cache-control', 'no-store').send({ status: 'ready' });
  });
}
