import type { Role } from '../../contract/operator/roles.ts';
import type { EpochMs } from '../../contract/time.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';

const putStatement: Statement = {
  name: 'put-staff-invitation',
  text: `INSERT INTO staff_invitations (staff_id, invitation_digest, expires_at)
    VALUES ($1, $2, now() + make_interval(hours => $3))
    ON CONFLICT (staff_id) DO UPDATE
      SET invitation_digest = EXCLUDED.invitation_digest, expires_at = EXCLUDED.expires_at
    RETURNING expires_at AS "expiresAt"`,
};

/** Stores the digest of a new invitation in place of the member's last one. Returns its end. */
export async function putInvitation(
  executor: Executor,
  invitation: { staffId: string; digest: Buffer; hours: number },
): Promise<EpochMs> {
  const { staffId, digest, hours } = invitation;
  const [row] = await executor.query<{ expiresAt: EpochMs }>(putStatement, [
    staffId,
    digest,
    hours,
  ]);
  return row!.expiresAt;
}

const findStatement: Statement = {
  name: 'find-staff-invitation',
  text: `SELECT i.staff_id AS "staffId", m.email, m.role FROM staff_invitations i
    JOIN staff_members m ON m.staff_id = i.staff_id
    WHERE i.invitation_digest = $1 AND i.expires_at > now() AND m.disabled_at IS NULL`,
};

/** The member whom an invitation is for. */
interface Invited {
  staffId: string;
  email: string;
  role: Role;
}

/** Finds the member of a valid invitation. */
export async function findInvitation(
  executor: Executor,
  digest: Buffer,
): Promise<Invited | undefined> {
  return (await executor.query<Invited>(findStatement, [digest]))[0];
}

const useStatement: Statement = {
  name: 'use-staff-invitation',
  text: `DELETE FROM staff_invitations WHERE invitation_digest = $1 AND expires_at > now()
    RETURNING staff_id`,
};

/** Uses an invitation up. False: somebody was faster, or it has expired. */
export const useInvitation = async (executor: Executor, digest: Buffer): Promise<boolean> =>
  (await executor.query(useStatement, [digest])).length === 1;

const deleteStatement: Statement = {
  name: 'delete-staff-invitation',
  text: 'DELETE FROM staff_invitations WHERE staff_id = $1',
};

/** Withdraws the invitation of a member. */
export async function deleteInvitation(executor: Executor, staffId: string): Promise<void> {
  await executor.query(deleteStatement, [staffId]);
}
