import type { Executor, Statement } from '../../platform/postgres/database.ts';

const findStatement: Statement = {
  name: 'find-staff-network',
  text: 'SELECT 1 FROM staff_networks WHERE staff_id = $1 AND network = $2',
};

/** Whether a member has signed in from a network within the last thirty days; null: nobody is. */
export async function isKnownNetwork(
  executor: Executor,
  staffId: string | null,
  network: string,
): Promise<boolean> {
  return (await executor.query(findStatement, [staffId, network])).length === 1;
}

const noteStatement: Statement = {
  name: 'note-staff-network',
  text: `INSERT INTO staff_networks (staff_id, network) VALUES ($1, $2)
    ON CONFLICT (staff_id, network) DO UPDATE SET seen_at = now()`,
};

/** Notes that a member has signed in from a network. */
export async function noteNetwork(
  executor: Executor,
  staffId: string,
  network: string,
): Promise<void> {
  await executor.query(noteStatement, [staffId, network]);
}
