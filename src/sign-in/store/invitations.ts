import type { Role } from '../../contract/operator/roles.ts';
import type { EpochMs } from '../../contract/time.ts';
import { hasRow, noRows, oneRow, theValue } from '../../platform/postgres/statement-functions.ts';

/** Stores the digest of a new invitation in place of the member's last one. Returns its end. */
export const putInvitation = theValue<
  [invitation: { staffId: string; digest: Buffer; hours: number }],
  EpochMs
>({
  name: 'put-staff-invitation',
  text: `INSERT INTO staff_invitations (staff_id, invitation_digest, expires_at)
    VALUES ($1, $2, now() + make_interval(hours => $3))
    ON CONFLICT (staff_id) DO UPDATE
      SET invitation_digest = EXCLUDED.invitation_digest, expires_at = EXCLUDED.expires_at
    RETURNING expires_at AS "expiresAt"`,
  values: ({ staffId, digest, hours }) => [staffId, digest, hours],
});

/** The member whom an invitation is for. */
interface Invited {
  staffId: string;
  email: string;
  role: Role;
}

/** Finds the member of a valid invitation. */
export const findInvitation = oneRow<[digest: Buffer], Invited>({
  name: 'find-staff-invitation',
  text: `SELECT i.staff_id AS "staffId", m.email, m.role FROM staff_invitations i
    JOIN staff_members m ON m.staff_id = i.staff_id
    WHERE i.invitation_digest = $1 AND i.expires_at > now() AND m.disabled_at IS NULL`,
});

/** Uses an invitation up. False: somebody was faster, or it has expired. */
export const useInvitation = hasRow<[digest: Buffer]>({
  name: 'use-staff-invitation',
  text: `DELETE FROM staff_invitations WHERE invitation_digest = $1 AND expires_at > now()
    RETURNING staff_id`,
});

/** Withdraws the invitation of a member. */
export const deleteInvitation = noRows<[staffId: string]>({
  name: 'delete-staff-invitation',
  text: 'DELETE FROM staff_invitations WHERE staff_id = $1',
});
