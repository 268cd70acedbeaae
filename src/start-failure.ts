import { ConfigError } from './config.ts';
import { DatabaseUnavailableError } from './platform/postgres/database-errors.ts';
import { EmbeddedPostgresError } from './platform/embedded-postgres/index.ts';
import { InstallationError } from './platform/postgres/installation.ts';
import { MigrationError } from './platform/postgres/migrate.ts';
import { ListenError } from './api/listening.ts';
import { MasterKeyError } from './installation/master-key.ts';
import { OperatorRefusal } from './access/index.ts';

/** Errors whose message tells the operator what to do. */
const forOperators: readonly (abstract new (...args: never[]) => Error)[] = [
  ConfigError,
  DatabaseUnavailableError,
  EmbeddedPostgresError,
  InstallationError,
  ListenError,
  MasterKeyError,
  MigrationError,
  OperatorRefusal,
];

/** The message of a failed start: the reason, or the stack trace of an unexpected error. */
export function startFailure(error: unknown): string {
  const isForOperators = forOperators.some((kind) => error instanceof kind);
  if (isForOperators) return (error as Error).message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
