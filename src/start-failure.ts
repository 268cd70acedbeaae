import { ConfigError } from './config.ts';
import { DatabaseUnavailableError } from './platform/postgres/database.ts';
import { EmbeddedPostgresError } from './platform/embedded-postgres/index.ts';
import { InstallationError } from './platform/postgres/installation.ts';
import { MigrationError } from './platform/postgres/migrate.ts';
import { ListenError } from './api/listening.ts';
import { MasterKeyError } from './master-key.ts';
import { OperatorRefusal } from './access/index.ts';

/** Errors whose message tells the person who starts the service what to do. */
const forPeople: readonly (abstract new (...args: never[]) => Error)[] = [
  ConfigError,
  DatabaseUnavailableError,
  EmbeddedPostgresError,
  InstallationError,
  ListenError,
  MasterKeyError,
  MigrationError,
  OperatorRefusal,
];

/** What is said when a start fails: the reason, or the trace where it is a fault of ours. */
export function startFailure(error: unknown): string {
  const isForPeople = forPeople.some((kind) => error instanceof kind);
  if (isForPeople) return (error as Error).message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
