import type { FaultRule } from '../../contract/sandbox/schemas.ts';
import { hasRow, noRows, oneRow } from '../../platform/postgres/statement-functions.ts';
import type { FaultState, RuleHits } from '../rules/faults.ts';

/** The faults of an application as they were read. */
export interface StoredFaults {
  state: FaultState;
  revision: number;
}

interface FaultRow {
  rules: FaultRule[];
  seed: number;
  counts: Record<string, number>;
  hits: RuleHits[];
  revision: number;
}

/** Reads the faults of an application. Undefined: it has ordered none. */
export const findFaults = oneRow<[applicationId: string], FaultRow, StoredFaults>({
  name: 'sandbox-find-faults',
  text: `SELECT fault_rules AS rules, fault_seed AS seed, fault_counts AS counts, fault_hits AS hits,
      fault_revision AS revision
    FROM sandbox_states WHERE application_id = $1 AND fault_rules IS NOT NULL`,
  result: (row) => {
    const { revision, ...state } = row;
    return { state, revision };
  },
});

/** Sets the faults of an application; null: none. */
export const putFaults = noRows<[applicationId: string, faults: FaultState | null]>({
  name: 'sandbox-put-faults',
  text: `INSERT INTO sandbox_states (application_id, fault_rules, fault_seed, fault_counts, fault_hits)
    VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (application_id) DO UPDATE SET fault_rules = excluded.fault_rules,
      fault_seed = excluded.fault_seed, fault_counts = excluded.fault_counts,
      fault_hits = excluded.fault_hits, fault_revision = sandbox_states.fault_revision + 1`,
  values: (applicationId, faults) => [
    applicationId,
    faults && JSON.stringify(faults.rules),
    faults?.seed ?? null,
    JSON.stringify(faults?.counts ?? {}),
    JSON.stringify(faults?.hits ?? []),
  ],
});

/** Writes counts and hits. False: they have changed since they were read. */
export const writeCounts = hasRow<
  [applicationId: string, faults: StoredFaults, faultState: FaultState]
>({
  name: 'sandbox-count-call',
  text: `UPDATE sandbox_states SET fault_counts = $3, fault_hits = $4, fault_revision = fault_revision + 1
    WHERE application_id = $1 AND fault_revision = $2 AND fault_rules IS NOT NULL
    RETURNING fault_revision`,
  values: (applicationId, { revision }, { counts, hits }) => [
    applicationId,
    revision,
    JSON.stringify(counts),
    JSON.stringify(hits),
  ],
});
