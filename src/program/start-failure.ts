import { ConfigError } from '../config/config.ts';
import { DatabaseUnavailableError } from '../platform/postgres/database-errors.ts';
import { EmbeddedPostgresError } from '../platform/embedded-postgres/index.ts';
import { InstallationError } from '../platform/postgres/installation.ts';
import { MigrationError } from '../platform/postgres/migrate.ts';
import { ListenError } from '../api/listening.ts';
import { MasterKeyError } from '../installation/master-key.ts';

/** Errors whose message tells the operator what to do. */
const forOperators: readonly (abstract new (...args: never[]) => Error)[] = [
  ConfigError,
  DatabaseUnavailableError,
  EmbeddedPostgresError,
  InstallationError,
  ListenError,
  MasterKeyError,
  MigrationError,
];

/** No space left, as the operating system and PostgreSQL report it. */
const diskFull = new Set<unknown>(['ENOSPC', '53100']);

/** The error of a full disk among an error and its causes. */
function diskFullIn(error: unknown): Error | null {
  if (!(error instanceof Error)) return null;
  return 'code' in error && diskFull.has(error.code) ? error : diskFullIn(error.cause);
}

/** The message of a failed start: the reason, or the stack trace of an unexpected error. */
export function startFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const full = diskFullIn(error);
  if (full) return `The disk is full (${full.message}). Make room, then start again.`;
  if (forOperators.some((kind) => error instanceof kind)) return error.message;
  return error.stack ?? error.message;
}
