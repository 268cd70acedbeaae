import { hasRow, noRows } from '../../platform/postgres/statement-functions.ts';

/** Whether a member has signed in from a network within the last thirty days; null: nobody is. */
export const isKnownNetwork = hasRow<[staffId: string | null, network: string]>({
  name: 'find-staff-network',
  text: 'SELECT 1 FROM staff_networks WHERE staff_id = $1 AND network = $2',
});

/** Notes that a member has signed in from a network. */
export const noteNetwork = noRows<[staffId: string, network: string]>({
  name: 'note-staff-network',
  text: `INSERT INTO staff_networks (staff_id, network) VALUES ($1, $2)
    ON CONFLICT (staff_id, network) DO UPDATE SET seen_at = now()`,
});
