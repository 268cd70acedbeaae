/** The two applications of the simulation, and the file with their keys. */
import {
  applicationCreatedEntry,
  findApplication,
  findUsableKey,
  insertNewKey,
  keyIdOf,
  keyIssuedEntry,
  registerApplication,
  writeQuotas,
} from '../access/index.ts';
import { seededCapabilities } from '../contract/scopes.ts';
import type { Environment, Settlement } from '../contract/wire.ts';
import type { AuditEntry } from '../platform/audit/audit-entries.ts';
import { auditedChange } from '../platform/audit/audited-change.ts';
import type { Database, Executor } from '../platform/postgres/database.ts';
import { isTaken } from '../platform/postgres/database-errors.ts';
import {
  credentialsFile,
  readCredentials,
  writeCredentials,
  type FoundCredentials,
  type SandboxCredentials,
} from './credentials-file.ts';
import { secretDigest } from '../platform/secret.ts';

export type { SandboxCredentials } from './credentials-file.ts';

interface SandboxApplication {
  applicationId: string;
  name: string;
  settlement: Settlement;
}

/** Fixed applications, so that examples and bookmarks work in every installation. */
export const sandboxApplications = [
  {
    applicationId: '1a7c4be7-0000-4000-8000-000000000001',
    name: 'Sandbox, card-paying',
    settlement: 'card',
  },
  {
    applicationId: '1a7c4be7-0000-4000-8000-000000000002',
    name: 'Sandbox, partner-settled',
    settlement: 'partner',
  },
] as const satisfies readonly SandboxApplication[];

const actor = 'system:start';

/** The input of `ensureSandboxCredentials`. */
export interface SandboxCredentialsContext {
  database: Database;
  dataDir: string;
  baseUrl: string;
  environment: Environment;
  /** Receives a message if new keys were issued. */
  report: (message: string) => void;
}

/** Registers missing applications, and returns their audit entries. */
async function registerMissing(executor: Executor): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = [];
  for (const { applicationId, name, settlement } of sandboxApplications) {
    if (await findApplication(executor, applicationId)) continue;
    const input = { name, settlement, grants: seededCapabilities, quotas: {}, portalKeys: true };
    const application = await registerApplication(executor, applicationId, input);
    entries.push(applicationCreatedEntry(actor, application));
  }
  return entries;
}

// An update that changes nothing locks the row, so that processes check their files one after the other.
const lockCredentials = (executor: Executor) =>
  writeQuotas(executor, sandboxApplications[0].applicationId, {});

async function isUsable(
  executor: Executor,
  environment: Environment,
  applicationId: string,
  applicationKey: string,
): Promise<boolean> {
  const keyId = keyIdOf(applicationKey, environment);
  if (keyId === null) return false;
  const stored = await findUsableKey(executor, keyId, applicationId);
  return stored?.digest.equals(secretDigest(applicationKey)) ?? false;
}

/** Returns the application's key in the file, if it is valid in this database. */
async function keptKey(
  executor: Executor,
  environment: Environment,
  applicationId: string,
  found: FoundCredentials,
): Promise<{ applicationKey: string } | undefined> {
  if (found.state !== 'read') return undefined;
  const kept = found.credentials.applications.find((one) => one.applicationId === applicationId);
  if (!kept) return undefined;
  const usable = await isUsable(executor, environment, applicationId, kept.applicationKey);
  return usable ? kept : undefined;
}

function complaint(found: FoundCredentials): string {
  if (found.state === 'missing') return 'was not there';
  if (found.state === 'unreadable') return `could not be used (${found.reason})`;
  return 'contained keys that are of another database, revoked or expired';
}

const reissued = (file: string, found: FoundCredentials, names: readonly string[]): string =>
  `${file} ${complaint(found)}: new keys were issued for ${names.join(' and ')}. ` +
  'Earlier keys of this database stay valid until they are revoked or expire.';

interface SandboxKeys {
  applications: SandboxCredentials['applications'];
  /** The names of the applications with a new key. */
  renewed: string[];
  entries: AuditEntry[];
}

/** Returns a key for each application: the one in the file, or a new one. */
async function sandboxKeys(
  executor: Executor,
  environment: Environment,
  found: FoundCredentials,
): Promise<SandboxKeys> {
  const keys: SandboxKeys = { applications: [], renewed: [], entries: [] };
  for (const application of sandboxApplications) {
    const { applicationId, name, settlement } = application;
    const kept = await keptKey(executor, environment, applicationId, found);
    const opened = { name, settlement, applicationId };
    if (kept) {
      keys.applications.push({ ...opened, applicationKey: kept.applicationKey });
      continue;
    }
    const issued = await insertNewKey(executor, { environment, applicationId });
    keys.applications.push({ ...opened, applicationKey: issued.applicationKey });
    keys.renewed.push(name);
    keys.entries.push(keyIssuedEntry(actor, applicationId, issued));
  }
  return keys;
}

interface Ensured {
  credentials: SandboxCredentials;
  /** The message for `report`. */
  message: string | null;
  entries: AuditEntry[];
}

async function keep(
  dataDir: string,
  baseUrl: string,
  kept: SandboxCredentials,
): Promise<SandboxCredentials> {
  const credentials = { ...kept, baseUrl };
  if (kept.baseUrl !== baseUrl) await writeCredentials(dataDir, credentials);
  return credentials;
}

async function ensure(executor: Executor, context: SandboxCredentialsContext): Promise<Ensured> {
  const { dataDir, baseUrl, environment } = context;
  const registered = await registerMissing(executor);
  await lockCredentials(executor);
  const found = await readCredentials(dataDir);
  const {
    applications,
    renewed,
    entries: issued,
  } = await sandboxKeys(executor, environment, found);
  const entries = [...registered, ...issued];
  if (found.state === 'read' && renewed.length === 0) {
    const kept = await keep(dataDir, baseUrl, found.credentials);
    return { credentials: kept, message: null, entries };
  }
  const credentials = { baseUrl, applications };
  // Written before the commit releases the lock, so that the next process finds the file with its keys.
  await writeCredentials(dataDir, credentials);
  const isExpected = registered.length > 0 && found.state === 'missing';
  const message = isExpected ? null : reissued(credentialsFile(dataDir), found, renewed);
  return { credentials, message, entries };
}

/**
 * Ensures that the simulation's two applications exist and that the file in the data folder contains valid
 * keys for them. Keeps a valid file. Several processes can call it at once. Throws `InstallationError`.
 * Spec: SIMULATION-8.
 */
export async function ensureSandboxCredentials(
  context: SandboxCredentialsContext,
): Promise<SandboxCredentials> {
  if (context.environment !== 'simulation') {
    throw new Error(`${context.environment} has no sandbox applications.`);
  }
  const once = () =>
    auditedChange(
      context.database,
      (executor) => ensure(executor, context),
      ({ entries }) => entries,
    );
  const ensured = await once().catch((error: unknown) => {
    // Another process has registered and committed them in the meantime.
    if (isTaken(error, 'applications_pkey')) return once();
    throw error;
  });
  const { credentials, message } = ensured;
  if (message !== null) context.report(message);
  return credentials;
}
