/** The two applications of the simulation, and the file with their keys. */
import {
  findApplication,
  findUsableKeyDigest,
  insertNewKey,
  keyDigest,
  keyIdOf,
  OperatorRefusal,
  registerApplication,
  writeQuotas,
} from './access/index.ts';
import { capabilities } from './contract/scopes.ts';
import type { Environment, Settlement } from './contract/wire.ts';
import { isTaken, type Database, type Executor } from './platform/postgres/database.ts';
import {
  credentialsFile,
  readCredentials,
  writeCredentials,
  type FoundCredentials,
  type SandboxCredentials,
} from './credentials-file.ts';

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
export interface SandboxParts {
  database: Database;
  dataDir: string;
  baseUrl: string;
  environment: Environment;
  /** Receives a message if new keys were issued. */
  report: (message: string) => void;
}

/** Registers missing applications. True: something was missing. */
async function registerMissing(executor: Executor): Promise<boolean> {
  let registered = false;
  for (const { applicationId, name, settlement } of sandboxApplications) {
    if (await findApplication(executor, applicationId)) continue;
    const input = { name, settlement, grants: capabilities, quotas: {} };
    await registerApplication(executor, actor, applicationId, input);
    registered = true;
  }
  return registered;
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
  const digest = await findUsableKeyDigest(executor, keyId, applicationId);
  return digest?.equals(keyDigest(applicationKey)) ?? false;
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
}

/** Returns a key for each application: the one in the file, or a new one. */
async function sandboxKeys(
  executor: Executor,
  environment: Environment,
  found: FoundCredentials,
): Promise<SandboxKeys> {
  const keys: SandboxKeys = { applications: [], renewed: [] };
  for (const application of sandboxApplications) {
    const { applicationId, name, settlement } = application;
    const kept = await keptKey(executor, environment, applicationId, found);
    const key = kept ?? (await insertNewKey(executor, actor, { environment, applicationId }));
    if (!kept) keys.renewed.push(name);
    const { applicationKey } = key;
    keys.applications.push({ name, settlement, applicationId, applicationKey });
  }
  return keys;
}

interface Settled {
  credentials: SandboxCredentials;
  /** The message for `report`. */
  message: string | null;
}

async function keep(dataDir: string, baseUrl: string, kept: SandboxCredentials): Promise<Settled> {
  const credentials = { ...kept, baseUrl };
  if (kept.baseUrl !== baseUrl) await writeCredentials(dataDir, credentials);
  return { credentials, message: null };
}

async function settle(executor: Executor, parts: SandboxParts): Promise<Settled> {
  const { dataDir, baseUrl, environment } = parts;
  const isFirstStart = await registerMissing(executor);
  await lockCredentials(executor);
  const found = await readCredentials(dataDir);
  const { applications, renewed } = await sandboxKeys(executor, environment, found);
  if (found.state === 'read' && renewed.length === 0) {
    return keep(dataDir, baseUrl, found.credentials);
  }
  const credentials = { baseUrl, applications };
  // Written before the commit releases the lock, so that the next process finds the file with its keys.
  await writeCredentials(dataDir, credentials);
  const isExpected = isFirstStart && found.state === 'missing';
  const message = isExpected ? null : reissued(credentialsFile(dataDir), found, renewed);
  return { credentials, message };
}

/**
 * Ensures that the simulation's two applications exist and that the file in the data folder contains valid
 * keys for them. Keeps a valid file. Several processes can call it at once. Throws `OperatorRefusal`.
 */
export async function ensureSandboxCredentials(parts: SandboxParts): Promise<SandboxCredentials> {
  if (parts.environment !== 'simulation') {
    throw new OperatorRefusal(`${parts.environment} has no sandbox applications.`);
  }
  const once = () => parts.database.transaction((executor) => settle(executor, parts));
  const { credentials, message } = await once().catch((error: unknown) => {
    // Another process has registered and committed them in the meantime.
    if (isTaken(error, 'applications_pkey')) return once();
    throw error;
  });
  if (message !== null) parts.report(message);
  return credentials;
}
