/** The documents that `--json` prints, with instants in ISO 8601. */
import { endpointView, type WebhookEndpoint, type WebhookSecrets } from '../webhooks/index.ts';
import type { EpochMs } from '../contract/time.ts';

const shown = (at: EpochMs): string => new Date(at).toISOString();
const shownOrNull = (at: EpochMs | null): string | null => (at === null ? null : shown(at));

/** The new secret of an endpoint, and until when the previous one also signs. */
export const rotatedSecretView = (endpointId: string, { secret, previous }: WebhookSecrets) => ({
  endpointId,
  secret,
  previousSecretUntil: shownOrNull(previous?.expiresAt ?? null),
});

/** An endpoint with its health: `failing` from the first failure to the next success. */
export const listedEndpointView = (endpoint: WebhookEndpoint) => ({
  ...endpointView(endpoint),
  health: endpoint.failingSince === null ? 'ok' : 'failing',
});
