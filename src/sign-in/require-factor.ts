import type { Refusal } from '../contract/errors.ts';
import { refuseConflict } from '../contract/operator/errors.ts';
import { auditedChange } from '../platform/audit/audited-change.ts';
import type { Database } from '../platform/postgres/database.ts';
import { memberName } from './actor.ts';
import { listWithoutFactor, writeSecondFactorRequired } from './store/required-factor.ts';

/** Requires a second factor of everybody, or stops requiring it. Spec: OPERATOR-15. */
export async function requireSecondFactor(
  database: Database,
  actor: string,
  required: boolean,
): Promise<{ required: boolean; without: string[] } | Refusal<'conflict'>> {
  const without = await listWithoutFactor(database);
  if (required && without.some((email) => memberName(email) === actor)) {
    return refuseConflict('Add a second factor to your own account first.');
  }
  await auditedChange(
    database,
    (executor) => writeSecondFactorRequired(executor, required),
    (details) => ({ actor, action: 'staff.require-second-factor', details }),
  );
  return { required, without };
}
