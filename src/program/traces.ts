import { randomUUID } from 'node:crypto';
import type { Config } from '../config/config.ts';
import { useTracer } from '../platform/tracing/tracing.ts';
import type { Log } from '../platform/log.ts';

/** Opens the tracer of this process. Its libraries are loaded only for that. Returns the function that ends it. */
export async function startTracing(config: Config, log: Log): Promise<() => Promise<void>> {
  const { traces, environment, roles } = config;
  if (!traces) return () => Promise.resolve();
  const { openTracer } = await import('../platform/tracing/open-telemetry.ts');
  const process = {
    'service.name': 'latchkey',
    'service.instance.id': randomUUID(),
    'deployment.environment.name': environment,
    'latchkey.roles': roles.join(),
  };
  const tracer = openTracer({ ...traces, process, log });
  useTracer(tracer);
  return async () => {
    useTracer(null);
    await tracer.stop();
  };
}
