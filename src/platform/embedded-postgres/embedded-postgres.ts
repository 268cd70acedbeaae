/** What the rest of the service knows of an embedded PostgreSQL: how to use it, and how it refuses. */

/** A running server, from its start until `stop()` or its death. */
export interface EmbeddedPostgres {
  /** What `pg` needs: host is a folder (Unix socket) or 127.0.0.1. */
  connection: { host: string; port: number; user: string; database: string; password?: string };
  /** Fast shutdown, waits until the server is gone. Safe to call twice. */
  stop(): Promise<void>;
  /** Called once if the server dies without stop() having been called. */
  onExit(listener: (reason: string) => void): void;
}

/** What a start is told: where the files are, and whom to tell how it goes. */
export interface EmbeddedPostgresOptions {
  dataDir: string;
  log: (message: string, details?: object) => void;
}

/** The embedded PostgreSQL could not be started or stopped; the message says what a person can do about it. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}
