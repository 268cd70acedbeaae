import type pg from 'pg';
import type { Database } from '../../src/platform/postgres/database.ts';

/**
 * Keeps the connections outside the pool for the next import, export or block: planning every statement anew
 * costs more than most of them do. They end with the test database.
 */
export function keepConnections(database: Database): Database {
  const kept: pg.Client[] = [];
  return {
    ...database,
    async connect() {
      const again = kept.pop();
      if (again) return again;
      const client = await database.connect();
      const end = client.end.bind(client);
      client.end = (async () => {
        const isIdle = client.getTransactionStatus() === 'I';
        if (!isIdle) return end();
        kept.push(client);
      }) as typeof client.end;
      return client;
    },
  };
}
