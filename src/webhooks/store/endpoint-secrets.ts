import type { EpochMs } from '../../contract/time.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import type { SealedColumn } from '../../platform/postgres/sealed-columns.ts';
import { oneRow } from '../../platform/postgres/statement-functions.ts';

/** The signing secrets of an endpoint. */
export interface WebhookSecrets {
  secret: string;
  /** The previous secret, while it still signs. */
  previous: { secret: string; expiresAt: EpochMs } | null;
}

const purpose = 'webhook-secret' as const;

/** Seals a secret for its endpoint. */
export const sealedSecret = (executor: Executor, endpointId: string, secret: string): Buffer =>
  executor.vault.seal(purpose, secret, endpointId);

/** The stored secrets of an endpoint. */
export interface SealedSecretsRow {
  endpoint_id: string;
  secret_sealed: Buffer;
  previous_sealed: Buffer | null;
  previous_until: EpochMs | null;
}

/** The columns of the endpoint `e` for a `SealedSecretsRow`. */
export const secretColumns = `e.endpoint_id, e.secret_sealed,
  CASE WHEN e.previous_secret_until > now() THEN e.previous_secret_sealed END AS previous_sealed,
  CASE WHEN e.previous_secret_until > now() THEN e.previous_secret_until END AS previous_until`;

/** Opens the previous secret. If it cannot be opened, it no longer signs, so that a rotation repairs a damaged secret. */
function openPrevious(executor: Executor, row: SealedSecretsRow): WebhookSecrets['previous'] {
  const { endpoint_id: id, previous_sealed: previous, previous_until: until } = row;
  if (previous === null || until === null) return null;
  try {
    return { secret: executor.vault.open(purpose, previous, id), expiresAt: until };
  } catch {
    return null;
  }
}

/** Opens the secrets of an endpoint. Throws if the current one cannot be opened. */
export const openSecrets = (executor: Executor, row: SealedSecretsRow): WebhookSecrets => ({
  secret: executor.vault.open(purpose, row.secret_sealed, row.endpoint_id),
  previous: openPrevious(executor, row),
});

const opened = (row: SealedSecretsRow, executor: Executor): WebhookSecrets =>
  openSecrets(executor, row);

/** Reads the current signing secrets of an endpoint. */
export const readWebhookSecrets = oneRow<
  [applicationId: string, endpointId: string],
  SealedSecretsRow,
  WebhookSecrets
>({
  name: 'read-webhook-secrets',
  text: `SELECT ${secretColumns} FROM webhook_endpoints e
    WHERE e.endpoint_id = $2 AND e.application_id = $1 AND e.deleted_at IS NULL`,
  result: opened,
});

const overlapHours = 24;

const rotate = oneRow<
  [applicationId: string, endpointId: string, sealed: Buffer],
  SealedSecretsRow,
  WebhookSecrets
>({
  name: 'rotate-webhook-secret',
  text: `UPDATE webhook_endpoints e SET secret_sealed = $3, previous_secret_sealed = e.secret_sealed,
      previous_secret_until = now() + interval '${overlapHours} hours', updated_at = now()
    WHERE e.endpoint_id = $2 AND e.application_id = $1 AND e.deleted_at IS NULL
    RETURNING ${secretColumns}`,
  result: opened,
});

/** Replaces the secret. The previous one also signs for a day. */
export const rotateWebhookSecret = (
  executor: Executor,
  applicationId: string,
  endpointId: string,
  newSecret: string,
): Promise<WebhookSecrets | undefined> =>
  rotate(executor, applicationId, endpointId, sealedSecret(executor, endpointId, newSecret));

/** The signing secrets of endpoints. */
export const sealedSecrets: readonly SealedColumn[] = [
  'secret_sealed',
  'previous_secret_sealed',
].map((column) => ({
  table: 'webhook_endpoints',
  column,
  purpose,
  key: { endpoint_id: 'uuid' },
  context: ([endpointId]) => endpointId!,
}));
