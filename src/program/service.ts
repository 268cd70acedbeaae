import type { FastifyInstance } from 'fastify';
import type { Health } from '../api/health.ts';
import { closeGracefully } from '../api/listening.ts';
import type { MetricsContext, Metrics } from './metrics.ts';
import { startRequestRecorder } from '../request-log/index.ts';
import { buildCalls } from './http-app.ts';
import { startFollowing } from './refreshes.ts';
import { openDependencies } from './opened-dependencies.ts';
import type { ServiceContext } from './service-dependencies.ts';
import { startTracing } from './traces.ts';
import { openWorkerRole } from './worker-role.ts';
import { startCallCounts } from '../signals/index.ts';
import { seedSimulation } from '../simulation/index.ts';

/** A running service, without its database and sockets. */
export interface Service {
  app: FastifyInstance;
  /** Null: they are not wanted. */
  metrics: Metrics | null;
  health: Health;
  /** Makes `/readyz` fail from now on. */
  beginStop(): void;
  /** Finishes calls and steps in flight. */
  stop(): Promise<void>;
}

/** Measures the process if the configuration wants it. The library is loaded only for that. */
async function measure(wanted: boolean, context: MetricsContext): Promise<Metrics | null> {
  if (!wanted) return null;
  const { startMetrics } = await import('./metrics.ts');
  return startMetrics(context);
}

async function startOn(context: ServiceContext, ends: AsyncDisposableStack): Promise<Service> {
  const { config, database, log } = context;
  let stopping = false;
  // Before the dependencies are opened, which ask whether there is a tracer.
  ends.defer(await startTracing(config, log));
  if (config.environment === 'simulation') await seedSimulation(database);
  const opened = await openDependencies(context, ends);
  const { clock } = opened;
  const role = openWorkerRole(opened);
  const running: { stop(): Promise<unknown> }[] = [role];
  const measured = {
    ...opened,
    worker: role.worker,
    now: clock.now,
    calendarSeconds: config.calendarMinutes * 60,
  };
  const metrics = await measure(config.metricsPort !== null, measured);
  ends.defer(() => metrics?.stop());
  const recorder = startRequestRecorder({ executor: database, log });
  // After all calls have been answered.
  ends.defer(() => recorder.stop());
  const counts = startCallCounts({ executor: database, log });
  ends.defer(() => counts.stop());
  // Again after the calls: one that was in flight may have started a step meanwhile.
  ends.defer(() => role.worker.stop());
  ends.defer(async () => void (await Promise.all(running.map((part) => part.stop()))));
  const health: Health = {
    // One round trip, because under overload each one waits long in the connection queue.
    readyCheck: async () => void (await clock.ask()),
    isStopping: () => stopping,
  };
  const app = await buildCalls(context, opened, role, { recorder, counts, health });
  role.begin();
  running.push({ stop: () => closeGracefully(app) }, startFollowing(opened));
  return {
    app,
    metrics,
    health,
    beginStop() {
      stopping = true;
    },
    async stop() {
      stopping = true;
      await ends.disposeAsync();
    },
  };
}

/** Builds the service and starts the roles of this process. If that fails, everything that has begun is ended. */
export async function startService(context: ServiceContext): Promise<Service> {
  // Ends what has begun, the last first.
  const ends = new AsyncDisposableStack();
  try {
    return await startOn(context, ends);
  } catch (error) {
    await ends.disposeAsync();
    throw error;
  }
}
