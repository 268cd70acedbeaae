/** Whether the operator requires a second factor of members of staff. */
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { manyValues, oneRow } from '../../platform/postgres/statement-functions.ts';

const readStatement: Statement = {
  name: 'read-required-factor',
  text: 'SELECT second_factor_required AS required FROM installation',
};

/** Whether every member with a password needs a second factor. */
export async function isSecondFactorRequired(executor: Executor): Promise<boolean> {
  return (await executor.query<{ required: boolean }>(readStatement))[0]?.required ?? false;
}

/** Requires a second factor, or stops requiring it. Undefined: it was so. */
export const writeSecondFactorRequired = oneRow<[required: boolean], { required: boolean }>({
  name: 'write-required-factor',
  text: `UPDATE installation SET second_factor_required = $1
    WHERE second_factor_required <> $1 RETURNING second_factor_required AS required`,
});

/** The addresses of active members with a password and without a second factor. */
export const listWithoutFactor = manyValues<[], string>({
  name: 'list-members-without-factor',
  text: `SELECT email FROM staff_members
    WHERE disabled_at IS NULL AND password_hash IS NOT NULL AND second_factor IS NULL
      AND NOT EXISTS (SELECT FROM staff_passkeys p WHERE p.staff_id = staff_members.staff_id) ORDER BY email`,
});
