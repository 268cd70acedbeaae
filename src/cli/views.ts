/** The documents that `--json` prints, with instants in ISO 8601. */
import type {
  Application,
  ApplicationKey,
  IssuedKey,
  IssuedLink,
  NewApplication,
  ShownSigningKey,
} from '../access/index.ts';
import { endpointView, type ListedEndpoint, type WebhookSecrets } from '../webhooks/index.ts';
import type { Block, ListedBlock } from '../inventory/index.ts';
import type { EpochMs } from '../contract/time.ts';

const shown = (at: EpochMs): string => new Date(at).toISOString();
const shownOrNull = (at: EpochMs | null): string | null => (at === null ? null : shown(at));

/** An application. `slugs`: the slug of each catalog by its ID. */
export const applicationView = (application: Application, slugs: ReadonlyMap<string, string>) => ({
  applicationId: application.applicationId,
  name: application.name,
  settlement: application.settlement,
  state: application.suspendedAt === null ? 'active' : 'suspended',
  grants: application.grants,
  quotas: application.quotas,
  catalog: slugs.get(application.catalogId) ?? null,
  adjustPercent: application.adjustPercent,
  reservationsPerDay: application.reservationsPerDay,
  suspendedAt: shownOrNull(application.suspendedAt),
  suspendedReason: application.suspendedReason,
  createdAt: shown(application.createdAt),
});

/** A new application with its first key, which is not shown again. */
export const newApplicationView = (created: NewApplication, catalog: string) => ({
  applicationId: created.applicationId,
  name: created.name,
  settlement: created.settlement,
  grants: created.grants,
  quotas: created.quotas,
  catalog,
  adjustPercent: created.adjustPercent,
  reservationsPerDay: created.reservationsPerDay,
  ...issuedKeyView(created),
});

/** A key that was just issued. */
export const issuedKeyView = ({ keyId, applicationKey, expiresAt }: IssuedKey) => ({
  keyId,
  applicationKey,
  expiresAt: shown(expiresAt),
});

/** A stored key. */
export const keyView = (key: ApplicationKey) => ({
  keyId: key.keyId,
  applicationId: key.applicationId,
  state: key.state,
  createdAt: shown(key.createdAt),
  expiresAt: shown(key.expiresAt),
  revokedAt: shownOrNull(key.revokedAt),
  lastUsedAt: shownOrNull(key.lastUsedAt),
});

/** A current or retired signing key. */
export const signingKeyView = (key: ShownSigningKey) => ({
  keyId: key.keyId,
  state: key.state,
  createdAt: shown(key.createdAt),
  retiredAt: shownOrNull(key.retiredAt),
});

/** A portal link, which is not shown again. */
export const portalLinkView = ({ url, expiresAt }: IssuedLink) => ({
  url,
  expiresAt: shown(expiresAt),
});

/** The new secret of an endpoint, and until when the previous one also signs. */
export const rotatedSecretView = (endpointId: string, { secret, previous }: WebhookSecrets) => ({
  endpointId,
  secret,
  previousSecretUntil: shownOrNull(previous?.expiresAt ?? null),
});

/** An endpoint with its health: `failing` from the first failure to the next success. */
export const listedEndpointView = ({ retrying, exhausted, ...endpoint }: ListedEndpoint) => ({
  ...endpointView(endpoint),
  health: endpoint.failingSince === null ? 'ok' : 'failing',
  retrying,
  exhausted,
});

/** A block of nights. */
export const blockView = ({ blockId, listingId, from, to, reason, source, createdAt }: Block) => ({
  blockId,
  listingId,
  from,
  to,
  reason,
  source,
  createdAt: shown(createdAt),
});

/** A block in a list, with the slug of its home. */
export const listedBlockView = ({ listing, ...block }: ListedBlock) => ({
  listing,
  ...blockView(block),
});
