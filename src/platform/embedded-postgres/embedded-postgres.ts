/** The interface and the error of the embedded PostgreSQL. */

/** A running server. */
export interface EmbeddedPostgres {
  /** The connection settings of `pg`: `host` is a folder (Unix socket) or 127.0.0.1. */
  connection: { host: string; port: number; user: string; database: string; password?: string };
  /** Shuts the server down (fast mode) and waits until its process ends. Can be called twice. */
  stop(): Promise<void>;
  /** Called once if the server ends before `stop()` is called. */
  onExit(listener: (reason: string) => void): void;
}

/** The options of a start. */
export interface EmbeddedPostgresOptions {
  dataDir: string;
  log: StartLog;
}

/** The embedded PostgreSQL could not be started or stopped. The message tells the operator what to do. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}
import type { StartLog } from '../log.ts';
