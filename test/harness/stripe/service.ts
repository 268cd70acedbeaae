/** A service in the environment `test` whose card provider is the stand-in behind a local server. */
import { type RestartableService, startTestService, type TestReplacements } from '../service.ts';
import { serveStandIn } from './server.ts';
import { StandIn, type StandInSettings } from './stand-in.ts';

export const webhookSecret = 'whsec_standin';

/** The settings of card payments by a stand-in. */
export const keysFor = (apiUrl: string) => ({
  LATCHKEY_ENVIRONMENT: 'test',
  STRIPE_SECRET_KEY: 'sk_test_standin',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_standin',
  STRIPE_WEBHOOK_SECRET: webhookSecret,
  STRIPE_API_URL: apiUrl,
});

/** A service and its stand-in. */
export interface PaidService extends RestartableService {
  standIn: StandIn;
  /** The settings of card payments. */
  keys: ReturnType<typeof keysFor>;
}

/** Starts both. */
export async function startPaidService(
  env: NodeJS.ProcessEnv = {},
  settings: StandInSettings = {},
  replacements: TestReplacements = {},
): Promise<PaidService> {
  const standIn = new StandIn(settings);
  const server = await serveStandIn(standIn);
  const keys = keysFor(server.url);
  const service = await startTestService({ ...keys, ...env }, replacements);
  return {
    ...service,
    standIn,
    keys,
    async stop() {
      await service.stop();
      await server[Symbol.asyncDispose]();
    },
  };
}
