/** The two applications of the simulation, and the file that tells their keys. */
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

/** Always these two, so that examples and bookmarks keep working after a fresh start. */
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

/** What `ensureSandboxCredentials` needs. */
export interface SandboxParts {
  database: Database;
  dataDir: string;
  baseUrl: string;
  environment: Environment;
  /** Told, in words for people, when keys were issued anew. */
  report: (message: string) => void;
}

/** Registers what is missing; true: something was. */
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

// An update that changes nothing holds the row: one process after the other looks at the file.
const takeSlot = (executor: Executor) =>
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

/** What the file holds for the application, if its key opens anything here. */
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
  return 'held keys that are of another database, revoked or expired';
}

const reissued = (file: string, found: FoundCredentials, names: readonly string[]): string =>
  `${file} ${complaint(found)}: new keys were issued for ${names.join(' and ')}. ` +
  'Keys of this database that were issued before work until they are revoked or expire.';

interface SandboxKeys {
  applications: SandboxCredentials['applications'];
  /** The names of those whose key is a new one. */
  renewed: string[];
}

/** A key for each application: the one in the file, or a new one. */
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
  /** What is to be told about it. */
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
  await takeSlot(executor);
  const found = await readCredentials(dataDir);
  const { applications, renewed } = await sandboxKeys(executor, environment, found);
  if (found.state === 'read' && renewed.length === 0) {
    return keep(dataDir, baseUrl, found.credentials);
  }
  const credentials = { baseUrl, applications };
  // Before the commit that ends the turn: whoever comes next finds the file and its keys together.
  await writeCredentials(dataDir, credentials);
  const isExpected = isFirstStart && found.state === 'missing';
  const message = isExpected ? null : reissued(credentialsFile(dataDir), found, renewed);
  return { credentials, message };
}

/**
 * Sees to it that the simulation's two applications exist and that the file in the data folder holds
 * keys that open them; as long as it does, it is left alone. Safe when several processes start at
 * once. Throws `OperatorRefusal`.
 */
export async function ensureSandboxCredentials(parts: SandboxParts): Promise<SandboxCredentials> {
  if (parts.environment !== 'simulation') {
    throw new OperatorRefusal(`${parts.environment} has no sandbox applications.`);
  }
  const once = () => parts.database.transaction((executor) => settle(executor, parts));
  const { credentials, message } = await once().catch((error: unknown) => {
    // Another process registered them at the same moment, and has committed.
    if (isTaken(error, 'applications_pkey')) return once();
    throw error;
  });
  if (message !== null) parts.report(message);
  return credentials;
}
