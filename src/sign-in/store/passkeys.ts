/** Passkeys of members of staff, and what they are asked to sign. */
import type { EpochMs } from '../../contract/time.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';

/** A passkey, as it is checked. */
export interface StoredPasskey {
  passkeyId: string;
  credentialId: string;
  publicKey: Buffer;
  counter: number;
  transports: string[];
  name: string;
  createdAt: EpochMs;
  usedAt: EpochMs | null;
}

const columns = `passkey_id AS "passkeyId", credential_id AS "credentialId", public_key AS "publicKey", counter,
  transports, name, created_at AS "createdAt", used_at AS "usedAt"`;

const listStatement: Statement = {
  name: 'list-staff-passkeys',
  text: `SELECT ${columns} FROM staff_passkeys WHERE staff_id = $1 ORDER BY created_at, passkey_id`,
};

/** Lists the passkeys of a member, oldest first. */
export const listPasskeys = (executor: Executor, staffId: string): Promise<StoredPasskey[]> =>
  executor.query<StoredPasskey>(listStatement, [staffId]);

const insertStatement: Statement = {
  name: 'insert-staff-passkey',
  text: `INSERT INTO staff_passkeys (staff_id, credential_id, public_key, counter, transports, name)
    VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING RETURNING ${columns}`,
};

/** Stores a passkey. Undefined: the authenticator has one already. */
export async function insertPasskey(
  executor: Executor,
  staffId: string,
  passkey: Pick<StoredPasskey, 'credentialId' | 'publicKey' | 'counter' | 'transports' | 'name'>,
): Promise<StoredPasskey | undefined> {
  const { credentialId, publicKey, counter, transports, name } = passkey;
  const values = [staffId, credentialId, publicKey, counter, transports, name];
  return (await executor.query<StoredPasskey>(insertStatement, values))[0];
}

// The counter of a copied authenticator falls behind; many authenticators keep it at 0.
const useStatement: Statement = {
  name: 'use-staff-passkey',
  text: `UPDATE staff_passkeys SET counter = $3, used_at = now()
    WHERE staff_id = $1 AND credential_id = $2 AND (counter < $3 OR (counter = 0 AND $3 = 0))
    RETURNING passkey_id`,
};

/** Notes the use of a passkey. False: it was removed, or its counter has not risen. */
export const notePasskeyUse = async (
  executor: Executor,
  staffId: string,
  credentialId: string,
  counter: number,
): Promise<boolean> =>
  (await executor.query(useStatement, [staffId, credentialId, counter])).length === 1;

const deleteStatement: Statement = {
  name: 'delete-staff-passkey',
  text: 'DELETE FROM staff_passkeys WHERE staff_id = $1 AND passkey_id = $2 RETURNING name',
};

/** Removes a passkey of a member. Undefined: it has none with this ID. */
export const deletePasskey = async (
  executor: Executor,
  staffId: string,
  passkeyId: string,
): Promise<{ name: string } | undefined> =>
  (await executor.query<{ name: string }>(deleteStatement, [staffId, passkeyId]))[0];

const deleteAllStatement: Statement = {
  name: 'delete-staff-passkeys',
  text: 'DELETE FROM staff_passkeys WHERE staff_id = $1 RETURNING passkey_id',
};

/** Removes every passkey of a member. Returns how many. */
export const deletePasskeys = async (executor: Executor, staffId: string): Promise<number> =>
  (await executor.query(deleteAllStatement, [staffId])).length;

/** What the signature of a challenge is for. */
export type ChallengePurpose = 'add' | 'sign_in' | 'step_up';

const beginStatement: Statement = {
  name: 'insert-staff-challenge',
  // A member has one challenge for each purpose, so that nobody fills the table.
  text: `WITH former AS (
      DELETE FROM staff_challenges WHERE staff_id = $2 AND (purpose = $3 OR expires_at < now())
    )
    INSERT INTO staff_challenges (challenge, staff_id, purpose, expires_at)
    VALUES ($1, $2, $3, now() + make_interval(secs => $4))`,
};

/** Stores a challenge in the place of the former one. */
export async function insertChallenge(
  executor: Executor,
  challenge: string,
  staffId: string,
  purpose: ChallengePurpose,
  seconds: number,
): Promise<void> {
  await executor.query(beginStatement, [challenge, staffId, purpose, seconds]);
}

const useChallengeStatement: Statement = {
  name: 'use-staff-challenge',
  text: `DELETE FROM staff_challenges WHERE challenge = $1 AND staff_id = $2 AND purpose = $3
    RETURNING expires_at > now() AS "isAlive"`,
};

/** Uses up a challenge. False: there is none, it was used, or has expired. */
export async function useChallenge(
  executor: Executor,
  challenge: string,
  staffId: string,
  purpose: ChallengePurpose,
): Promise<boolean> {
  const values = [challenge, staffId, purpose];
  const [used] = await executor.query<{ isAlive: boolean }>(useChallengeStatement, values);
  return used?.isAlive ?? false;
}
