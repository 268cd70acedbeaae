import type { Role } from '../../contract/operator/roles.ts';
import type { EpochMs } from '../../contract/time.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import {
  hasRow,
  manyRows,
  manyValues,
  oneRow,
} from '../../platform/postgres/statement-functions.ts';

/** A member of staff, as signing in needs it. */
export interface Member {
  staffId: string;
  email: string;
  role: Role;
  passwordHash: string | null;
  /** Sealed. */
  secondFactor: Buffer | null;
  pendingFactor: Buffer | null;
  hasPasskey: boolean;
  disabledAt: EpochMs | null;
  now: EpochMs;
}

const columns = `staff_id AS "staffId", email, role, password_hash AS "passwordHash",
  second_factor AS "secondFactor", pending_factor AS "pendingFactor", disabled_at AS "disabledAt",
  EXISTS (SELECT FROM staff_passkeys p WHERE p.staff_id = staff_members.staff_id) AS "hasPasskey", now() AS now`;

/** Finds a member by its address in small letters. */
export const findMemberByEmail = oneRow<[email: string], Member>({
  name: 'find-by-email-staff-member',
  text: `SELECT ${columns} FROM staff_members WHERE email = $1`,
});

/** Finds a member by its ID. */
export const findMember = oneRow<[staffId: string], Member>({
  name: 'find-staff-member',
  text: `SELECT ${columns} FROM staff_members WHERE staff_id = $1`,
});

/** Finds a member by its ID and locks it until the end of the transaction. */
export const lockMember = oneRow<[staffId: string], Member>({
  name: 'lock-staff-member',
  text: `SELECT ${columns} FROM staff_members WHERE staff_id = $1 FOR UPDATE`,
});

/** Locks the administrators who can sign in until the end of the transaction. Returns their IDs. */
export const lockAdministrators = manyValues<[], string>({
  name: 'lock-administrators',
  // Two who lock them wait for each other in the same order, and the second sees what the first has changed.
  text: `SELECT staff_id AS "staffId" FROM staff_members
    WHERE role = 'administrator' AND disabled_at IS NULL
      AND (password_hash IS NOT NULL OR signed_in_at IS NOT NULL)
    ORDER BY staff_id FOR UPDATE`,
});

/** Stores a new member. Undefined: the address has one already. */
export const insertMember = oneRow<[member: { email: string; role: Role }], Member>({
  name: 'insert-staff-member',
  text: `INSERT INTO staff_members (email, role) VALUES ($1, $2)
    ON CONFLICT (email) DO NOTHING RETURNING ${columns}`,
  values: ({ email, role }) => [email, role],
});

const changes = {
  role: 'role = $2',
  password_hash: 'password_hash = $2',
  pending_factor: 'pending_factor = $2',
  second_factor: 'second_factor = $2, pending_factor = NULL, last_code_step = NULL',
  disabled: 'disabled_at = CASE WHEN $2::boolean THEN coalesce(disabled_at, now()) END',
} as const;

type Changed = keyof typeof changes;

const setStatement = (what: Changed): Statement => ({
  name: 'set-staff-member',
  variant: what,
  text: `UPDATE staff_members SET ${changes[what]} WHERE staff_id = $1`,
});

/** Changes one thing about a member. */
export async function setMember(
  executor: Executor,
  staffId: string,
  what: Changed,
  value: string | Buffer | boolean | null,
): Promise<void> {
  await executor.query(setStatement(what), [staffId, value]);
}

/** Uses the code of a step up. False: this code or a later one was used before. */
export const useCodeStep = hasRow<[staffId: string, step: number]>({
  name: 'use-code-of-staff-member',
  text: `UPDATE staff_members SET last_code_step = $2
    WHERE staff_id = $1 AND coalesce(last_code_step, 0) < $2 RETURNING staff_id`,
});

/** A member of staff in a list. */
export interface ListedMember {
  staffId: string;
  email: string;
  role: Role;
  hasPassword: boolean;
  hasSecondFactor: boolean;
  sessions: number;
  signedInAt: EpochMs | null;
  invitedUntil: EpochMs | null;
  createdAt: EpochMs;
  disabledAt: EpochMs | null;
}

const listed = `SELECT m.staff_id AS "staffId", m.email, m.role,
    m.password_hash IS NOT NULL AS "hasPassword", 
    m.second_factor IS NOT NULL OR EXISTS (SELECT FROM staff_passkeys p WHERE p.staff_id = m.staff_id)
      AS "hasSecondFactor",
    s.sessions, m.signed_in_at AS "signedInAt", i.expires_at AS "invitedUntil",
    m.created_at AS "createdAt", m.disabled_at AS "disabledAt"
  FROM staff_members m
  LEFT JOIN staff_invitations i ON i.staff_id = m.staff_id AND i.expires_at > now()
  CROSS JOIN LATERAL (
    SELECT count(*)::integer AS sessions FROM staff_sessions
    WHERE staff_id = m.staff_id AND expires_at > now()
  ) s`;

/** Lists all members, by address. */
export const listMembers = manyRows<[], ListedMember>({
  name: 'list-staff-member',
  text: `${listed} ORDER BY m.email`,
});

/** Reads a member as it is listed. */
export const findListedMember = oneRow<[staffId: string], ListedMember>({
  name: 'find-listed-staff-member',
  text: `${listed} WHERE m.staff_id = $1`,
});
