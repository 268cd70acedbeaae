/** What the server of a database is, and how many connections it takes. */
import { InstallationError } from './installation.ts';
import { theRow } from './statement-functions.ts';

/** What a start must know of the server. */
export interface ServerFacts {
  /** Such as `18.4`. */
  version: string;
  /** How many connections all its clients may open together. */
  connections: number;
}

/** Reads what the server is. */
export const readServerFacts = theRow<[], ServerFacts>({
  name: 'server-facts',
  text: `SELECT split_part(current_setting('server_version'), ' ', 1) AS version,
      current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
        - current_setting('reserved_connections')::integer AS connections`,
});

/** Throws `InstallationError` if the pool of one process is larger than what the server takes. */
export function checkConnections(wanted: number, { connections }: ServerFacts): void {
  if (wanted <= connections) return;
  throw new InstallationError(
    `LATCHKEY_DATABASE_CONNECTIONS is ${wanted}, and this PostgreSQL takes ${connections} connections of all its clients together: set it lower (each process has as many), or raise max_connections.`,
  );
}
