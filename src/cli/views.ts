/** The documents that `--json` prints, with instants in ISO 8601. */
import { endpointView, type WebhookEndpoint, type WebhookSecrets } from '../webhooks/index.ts';
import { instant } from '../contract/time.ts';

/** The new secret of an endpoint, and until when the previous one also signs. */
export const rotatedSecretView = (endpointId: string, { secret, previous }: WebhookSecrets) => ({
  endpointId,
  secret,
  previousSecretUntil: instant(previous?.expiresAt ?? null),
});

/** An endpoint with its health: `failing` from the first failure to the next success. */
export const listedEndpointView = (endpoint: WebhookEndpoint) => ({
  ...endpointView(endpoint),
  health: endpoint.failingSince === null ? 'ok' : 'failing',
});
