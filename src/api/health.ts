import type { FastifyInstance } from 'fastify';
import { refuse, RefusalError } from '../contract/errors.ts';

/** Throws if the process cannot serve. */
type ReadyCheck = () => Promise<void>;

/** What the health of a process depends on. */
export interface Health {
  readyCheck: ReadyCheck;
  isStopping: () => boolean;
}

/** `/healthz`: the process runs. `/readyz`: it can serve; 503 as soon as it is stopping. */
export function healthRoutes(app: FastifyInstance, { readyCheck, isStopping }: Health): void {
  app.get('/healthz', async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'alive' }),
  );
  app.get('/readyz', async (_request, reply) => {
    if (isStopping()) throw new RefusalError(refuse('unavailable'));
    await readyCheck();
    return reply.header('cache-control', 'no-store').send({ status: 'ready' });
  });
}
