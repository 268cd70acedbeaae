import type { FastifyInstance } from 'fastify';
import { refuse, RefusalError } from '../contract/errors.ts';

/** Throws if the process cannot serve. */
export type ReadyCheck = () => Promise<void>;

/** `/healthz`: the process runs. `/readyz`: it can serve; 503 as soon as it is stopping. */
export function healthRoutes(
  app: FastifyInstance,
  readyCheck: ReadyCheck,
  isStopping: () => boolean,
): void {
  app.get('/healthz', async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'alive' }),
  );
  app.get('/readyz', async (_request, reply) => {
    if (isStopping()) throw new RefusalError(refuse('unavailable'));
    await readyCheck();
    return reply.header('cache-control', 'no-store').send({ status: 'ready' });
  });
}
