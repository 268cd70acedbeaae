import { readServers } from '../platform/postgres/hosts.ts';
import type { Reader } from './reader.ts';
import type { Setting } from './settings.ts';

/** The database, and how it is used. */
export interface DatabaseSettings {
  /** Null: the embedded PostgreSQL, with its files in the data folder. */
  databaseUrl: string | null;
  /** The role that owns the tables, for migrations; null: that of `databaseUrl`. */
  databaseOwnerUrl: string | null;
  databaseConnections: number;
  /** A replica of the database; null: none. */
  replicaUrl: string | null;
  /** How long a read waits for the replica to catch up before it goes to the primary. */
  replicaWaitMs: number;
}

function urlOf(reader: Reader, name: Setting): string | null {
  const text = reader.text(name);
  // Checks no more than this, because `URL` cannot parse a PostgreSQL URL with a Unix socket's folder.
  if (text !== null && !/^postgres(ql)?:\/\//.test(text)) {
    reader.wrong(name, 'must be a postgres:// URL.');
  } else if (text !== null && readServers(text) === null) {
    reader.wrong(
      name,
      'must name as many ports as hosts, or one, and target_session_attrs=read-write or none.',
    );
  }
  return text;
}

function replicaUrlOf(reader: Reader): string | null {
  const name = 'DATABASE_REPLICA_URL';
  if (reader.text(name) === null) return null;
  if (reader.text('DATABASE_URL') === null) {
    reader.wrong(name, 'must stand beside DATABASE_URL: a data folder has no replica.');
    return null;
  }
  const text = urlOf(reader, name);
  // Of several servers, the one that accepts writes would be chosen.
  if (text !== null && readServers(text)?.mustWrite === true) {
    reader.wrong(name, 'must name one server, the replica.');
  }
  return text;
}

function ownerUrlOf(reader: Reader): string | null {
  const name = 'LATCHKEY_DATABASE_OWNER_URL';
  if (reader.text(name) === null) return null;
  if (reader.text('DATABASE_URL') !== null) return urlOf(reader, name);
  reader.wrong(name, 'must stand beside DATABASE_URL: a data folder has one role.');
  return null;
}

// The embedded server takes 100 connections: some are for commands beside the service, some only for its administrator.
const embeddedConnections = 80;

function connectionsOf(reader: Reader): number {
  const name = 'LATCHKEY_DATABASE_CONNECTIONS';
  const connections = reader.integer(name);
  if (connections <= embeddedConnections || reader.text('DATABASE_URL') !== null) {
    return connections;
  }
  reader.wrong(name, `must be at most ${embeddedConnections} without DATABASE_URL.`);
  return embeddedConnections;
}

/** Reads which database is used. */
export const databaseOf = (reader: Reader): DatabaseSettings => ({
  databaseUrl: urlOf(reader, 'DATABASE_URL'),
  databaseOwnerUrl: ownerUrlOf(reader),
  databaseConnections: connectionsOf(reader),
  replicaUrl: replicaUrlOf(reader),
  replicaWaitMs: reader.integer('LATCHKEY_REPLICA_WAIT_MS'),
});
