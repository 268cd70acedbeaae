/** Who sends random requests, each with credentials that are renewed in time. */
import { issueOperatorToken } from '../../src/sign-in/index.ts';
import { newSecret, secretDigest } from '../../src/platform/secret.ts';
import type { Database } from '../../src/platform/postgres/database.ts';
import type { Partner } from '../harness/partner.ts';
import { sql } from '../harness/rows.ts';
import { operatorOperations, partnerOperations } from './contract.ts';
import type { Caller } from './requests.ts';

// Members of staff end all tokens by replacing the signing key at once; an application gets thirty a minute.
const tokenKeptMs = 5_000;

/** A partner. `exhausted`: whose credentials random token calls have; their limit is soon used up. */
export function partnerCaller(partner: Partner, exhausted: Partner): () => Promise<Caller> {
  const { applicationId, applicationKey } = exhausted.credentials;
  const tokenForm = { client_id: applicationId, client_secret: applicationKey };
  let token: { text: Promise<string>; until: number } | null = null;
  return async () => {
    if (token === null || performance.now() > token.until) {
      token = { text: partner.freshToken(), until: performance.now() + tokenKeptMs };
    }
    const headers = { Authorization: `Bearer ${await token.text}` };
    return { operations: partnerOperations, headers, tokenForm };
  };
}

/** Makes credentials again after some calls: their quota may be used up, or a call has ended them. */
function renewed(
  callsEach: number,
  headersOf: (round: number) => Promise<Caller['headers']>,
): () => Promise<Caller> {
  let calls = 0;
  let headers: Promise<Caller['headers']> = Promise.resolve({});
  return async () => {
    if (calls % callsEach === 0) headers = headersOf(calls / callsEach);
    calls += 1;
    return { operations: operatorOperations, headers: await headers, tokenForm: {} };
  };
}

/** A script of an administrator. */
export const tokenCaller = (database: Database): (() => Promise<Caller>) =>
  renewed(100, async (round) => {
    const input = {
      name: `script ${round}`,
      role: 'administrator',
      lifetimeSeconds: 3_600,
    } as const;
    const { token } = await issueOperatorToken(database, 'test', input);
    return { Authorization: `Bearer ${token}` };
  });

/** An administrator in a session. Each is another member of staff, because quotas count by member. */
export const sessionCaller = (database: Database): (() => Promise<Caller>) =>
  renewed(50, async (round) => {
    const secret = newSecret();
    await sql(
      database,
      `WITH member AS (
        INSERT INTO staff_members (email, role) VALUES ($1, 'administrator') RETURNING staff_id
      )
      INSERT INTO staff_sessions (staff_id, session_digest, address, user_agent, expires_at)
      SELECT staff_id, $2, '', '', now() + interval '1 hour' FROM member`,
      [`member-${round}@staff.example`, secretDigest(secret)],
    );
    return { Cookie: `latchkey_operator=${secret}` };
  });
