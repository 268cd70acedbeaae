/** The second socket of a process: metrics and health, for every role. */
import { healthRoutes, type Health } from '../api/health.ts';
import { closeGracefully, listen } from '../api/listening.ts';
import { createServer } from '../api/server.ts';
import { refuse, RefusalError } from '../contract/errors.ts';
import type { Metrics } from './metrics.ts';

/** What the metrics server shows of a service that serves. */
export interface Watched {
  metrics: Metrics | null;
  health: Health;
}

/** The dependencies of the metrics server. */
export interface MetricsServerContext {
  host: string;
  port: number;
  /** Null while the process starts. */
  watched: () => Watched | null;
}

const connections = 100;

/**
 * Serves `/metrics`, `/healthz` and `/readyz`. While the process starts, it is alive and not ready. Returns the
 * function that ends it. Throws `ListenError`.
 */
export async function serveMetrics(context: MetricsServerContext): Promise<() => Promise<void>> {
  const { host, port, watched } = context;
  const started = (): Watched => {
    const found = watched();
    if (!found) throw new RefusalError(refuse('unavailable'));
    return found;
  };
  const app = createServer({ tls: null, trustedProxy: null, connections, logger: false });
  healthRoutes(app, {
    readyCheck: async () => started().health.readyCheck(),
    isStopping: () => watched()?.health.isStopping() ?? false,
  });
  app.get('/metrics', async (_request, reply) => {
    const { metrics } = started();
    return reply
      .header('cache-control', 'no-store')
      .type(metrics!.contentType)
      .send(await metrics!.text());
  });
  await listen(app, { host, port });
  return () => closeGracefully(app);
}
