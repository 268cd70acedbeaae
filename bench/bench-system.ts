import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { capabilities } from '../src/contract/scopes.ts';
import type { Settlement } from '../src/contract/wire.ts';
import { readConfig } from '../src/config/config.ts';
import type { Connection } from '../src/platform/postgres/connecting.ts';
import type { Database } from '../src/platform/postgres/database.ts';
import { findRunningPostgres } from '../src/platform/embedded-postgres/index.ts';
import { createApplication } from '../src/access/staff/create-application.ts';
import { openStorage } from '../src/installation/storage.ts';
import { startService, type ServerProcess } from './processes.ts';

const unlimited = { read: 1e9, search: 1e9, write: 1e9, signal: 1e9 };

/** A partner with a token and very high quotas. */
export interface BenchPartner {
  applicationId: string;
  applicationKey: string;
  token: string;
}

/** A running service and its database. */
export interface BenchSystem {
  service: ServerProcess;
  database: Database;
  connection: Connection;
  dataDir: string;
  partner(settlement?: Settlement): Promise<BenchPartner>;
  /** Stops everything and keeps the data folder. */
  stopKeeping(): Promise<void>;
  close(): Promise<void>;
}

/** A token of an application. */
export async function tokenOf(port: number, id: string, secret: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: id,
      client_secret: secret,
    }),
  });
  const { access_token: token } = (await response.json()) as { access_token: string };
  return token;
}

const emptyFolder = (): Promise<string> => mkdtemp(path.join(tmpdir(), 'latchkey-bench-'));

/** Starts the service on a data folder, by default an empty one. `more`: additional environment variables. */
export async function startBenchSystem(
  more: Record<string, string> = {},
  folder?: string,
): Promise<BenchSystem> {
  const dataDir = folder ?? (await emptyFolder());
  const service = await startService(dataDir, more);
  const config = readConfig({
    LATCHKEY_DATA_DIR: dataDir,
    LATCHKEY_DATABASE_CONNECTIONS: '20',
    ...more,
  });
  const { database, close } = await openStorage(config, { join: true, log: () => undefined });
  const connection = await findRunningPostgres(dataDir);
  if (!connection) throw new Error('the embedded PostgreSQL is not running');
  async function stopKeeping(): Promise<void> {
    await close();
    await service.stop();
  }
  return {
    service,
    database,
    connection,
    dataDir,
    async partner(settlement = 'partner') {
      const { applicationId, applicationKey } = await createApplication(database, 'bench', {
        environment: config.environment,
        name: 'bench',
        settlement,
        grants: capabilities,
        quotas: unlimited,
      });
      const token = await tokenOf(service.port, applicationId, applicationKey);
      return { applicationId, applicationKey, token };
    },
    stopKeeping,
    async close() {
      await stopKeeping();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
