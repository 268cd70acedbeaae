/** Passkeys of members of staff, and what they are asked to sign. */
import type { EpochMs } from '../../contract/time.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import {
  countRows,
  hasRow,
  manyRows,
  noRows,
  oneRow,
} from '../../platform/postgres/statement-functions.ts';

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

/** Lists the passkeys of a member, oldest first. */
export const listPasskeys = manyRows<[staffId: string], StoredPasskey>({
  name: 'list-staff-passkeys',
  text: `SELECT ${columns} FROM staff_passkeys WHERE staff_id = $1 ORDER BY created_at, passkey_id`,
});

/** Stores a passkey. Undefined: the authenticator has one already. */
export const insertPasskey = oneRow<
  [
    staffId: string,
    passkey: Pick<StoredPasskey, 'credentialId' | 'publicKey' | 'counter' | 'transports' | 'name'>,
  ],
  StoredPasskey
>({
  name: 'insert-staff-passkey',
  text: `INSERT INTO staff_passkeys (staff_id, credential_id, public_key, counter, transports, name)
    VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING RETURNING ${columns}`,
  values: (staffId, { credentialId, publicKey, counter, transports, name }) => [
    staffId,
    credentialId,
    publicKey,
    counter,
    transports,
    name,
  ],
});

/** Notes the use of a passkey. False: it was removed, or its counter has not risen. */
export const notePasskeyUse = hasRow<[staffId: string, credentialId: string, counter: number]>({
  name: 'use-staff-passkey',
  // The counter of a copied authenticator falls behind; many authenticators keep it at 0.
  text: `UPDATE staff_passkeys SET counter = $3, used_at = now()
    WHERE staff_id = $1 AND credential_id = $2 AND (counter < $3 OR (counter = 0 AND $3 = 0))
    RETURNING passkey_id`,
});

/** Removes a passkey of a member. Undefined: it has none with this ID. */
export const deletePasskey = oneRow<[staffId: string, passkeyId: string], { name: string }>({
  name: 'delete-staff-passkey',
  text: 'DELETE FROM staff_passkeys WHERE staff_id = $1 AND passkey_id = $2 RETURNING name',
});

/** Removes every passkey of a member. Returns how many. */
export const deletePasskeys = countRows<[staffId: string]>({
  name: 'delete-staff-passkeys',
  text: 'DELETE FROM staff_passkeys WHERE staff_id = $1 RETURNING passkey_id',
});

/** What the signature of a challenge is for. */
export type ChallengePurpose = 'add' | 'sign_in' | 'step_up';

/** Stores a challenge in the place of the former one. */
export const insertChallenge = noRows<
  [challenge: string, staffId: string, purpose: ChallengePurpose, seconds: number]
>({
  name: 'insert-staff-challenge',
  // A member has one challenge for each purpose, so that nobody fills the table.
  text: `WITH former AS (
      DELETE FROM staff_challenges WHERE staff_id = $2 AND (purpose = $3 OR expires_at < now())
    )
    INSERT INTO staff_challenges (challenge, staff_id, purpose, expires_at)
    VALUES ($1, $2, $3, now() + make_interval(secs => $4))`,
});

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
