/** The second socket of a process: metrics and health, for every role. */
import { healthRoutes, type Health } from './api/health.ts';
import { closeGracefully, listen } from './api/listening.ts';
import { createServer } from './api/server.ts';
import type { Metrics } from './metrics.ts';

/** The parts of the metrics server. */
export interface MetricsServerParts {
  host: string;
  port: number;
  metrics: Metrics;
  health: Health;
}

const connections = 100;

/** Serves `/metrics`, `/healthz` and `/readyz`. Returns the function that ends it. Throws `ListenError`. */
export async function serveMetrics(parts: MetricsServerParts): Promise<() => Promise<void>> {
  const { host, port, metrics, health } = parts;
  const app = createServer({ tls: null, trustedProxy: null, connections, logger: false });
  healthRoutes(app, health);
  app.get('/metrics', async (_request, reply) =>
    reply
      .header('cache-control', 'no-store')
      .type(metrics.contentType)
      .send(await metrics.text()),
  );
  await listen(app, { host, port });
  return () => closeGracefully(app);
}
