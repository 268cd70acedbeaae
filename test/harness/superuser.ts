/** Connections as the superuser of an embedded PostgreSQL. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';

/** The settings with which the superuser connects where a service would connect with these. */
export async function superuserOf({
  host,
  port,
  database,
}: {
  host: string;
  port?: number;
  database?: string;
}): Promise<pg.ClientConfig & { password: string }> {
  const password = await readFile(path.join(host, 'superuser.password'), 'utf8');
  return { host, user: 'postgres', password, ...(port && { port }), ...(database && { database }) };
}
