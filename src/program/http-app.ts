import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { createTokenExchange } from '../access/index.ts';
import { basePathOf } from '../api/base-path.ts';
import { type AppContext, buildApp } from '../surfaces/app.ts';
import type { Config } from '../config/config.ts';
import type { PaymentEvents } from '../surfaces/payment-routes.ts';
import {
  type PaymentNotice,
  stripeEvents,
  stripeTryPage,
  takePaymentNotice,
  type TryPage,
} from '../payments/index.ts';
import type { Database } from '../platform/postgres/database.ts';
import { picturesFolder } from '../simulation/index.ts';
import { operatorContext, partnerContext, portalContext, sandboxContext } from './contexts.ts';
import type { OpenedDependencies } from './opened-dependencies.ts';
import type { ServiceContext } from './service-dependencies.ts';
import type { WorkerRole } from './worker-role.ts';

const project = path.join(import.meta.dirname, '../..');

async function openPaymentEvents(
  { cardPayments, isOutsideOff }: Config,
  database: Database,
): Promise<PaymentEvents | null> {
  if (!cardPayments) return null;
  const events = await stripeEvents(cardPayments.webhookSecret);
  // The provider sends it again, and for days; this copy must not answer for the original.
  const take = isOutsideOff
    ? () => Promise.resolve('later' as const)
    : (notice: PaymentNotice) => takePaymentNotice(database, notice);
  return { ...events, take };
}

/** The card fields are tried only with test keys, and so only in `test`. */
const openTryPage = async ({ environment, cardPayments }: Config): Promise<TryPage | null> =>
  environment === 'test' && cardPayments ? stripeTryPage(cardPayments) : null;

/** Builds the application that serves all calls, without listening. */
export async function buildCalls(
  { certificate, logger }: Pick<ServiceContext, 'certificate' | 'logger'>,
  opened: OpenedDependencies,
  role: WorkerRole,
  watching: Pick<AppContext, 'recorder' | 'counts' | 'health'>,
): Promise<FastifyInstance> {
  const { config, database, keys, buckets, access, pictures } = opened;
  const { environment, baseUrl } = config;
  return buildApp({
    partner: partnerContext(opened, role),
    access,
    exchange: createTokenExchange({
      executor: database,
      registry: access.registry,
      tokens: access.tokens,
      environment,
      baseUrl,
      buckets: buckets.make,
    }),
    buckets: buckets.make,
    keys,
    pages: { baseUrl, environment, project, consoleFolder: path.join(project, 'console/dist') },
    pictures:
      environment === 'simulation' ? picturesFolder : path.resolve(config.dataDir, 'pictures'),
    uploads: pictures,
    sandbox: environment === 'simulation' ? sandboxContext(opened, role) : null,
    portal: portalContext(opened, role),
    operator: await operatorContext(opened, role),
    ...watching,
    paymentEvents: await openPaymentEvents(config, database),
    tryPage: await openTryPage(config),
    server: {
      tls: certificate ?? null,
      trustedProxy: config.trustedProxy,
      connections: config.httpConnections,
      basePath: basePathOf(baseUrl),
      isSecure: baseUrl.startsWith('https:'),
      logger,
    },
  });
}
