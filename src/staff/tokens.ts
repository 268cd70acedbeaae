/** The tokens with which scripts call the operator's API. */
import type { Role } from '../contract/operator/roles.ts';
import { auditedChange } from '../platform/audit/audited-change.ts';
import type { Database, Executor } from '../platform/postgres/database.ts';
import { instantOf } from '../access/index.ts';
import type { OperatorActor } from './actor.ts';
import { findToken, insertToken } from './store/tokens.ts';
import { newToken, tokenDigest } from './token-secret.ts';

/** Issues a token. It is returned once and not stored. */
export async function issueOperatorToken(
  database: Database,
  actor: string,
  { name, role, lifetimeSeconds }: { name: string; role: Role; lifetimeSeconds: number },
) {
  const token = newToken();
  const issue = (executor: Executor) =>
    insertToken(executor, { digest: tokenDigest(token), name, role, lifetimeSeconds });
  const { tokenId, expiresAt } = await auditedChange(database, issue, (issued) => ({
    actor,
    action: 'staff.token.issue',
    applicationId: null,
    details: { tokenId: issued.tokenId, name, role, expiresAt: instantOf(issued.expiresAt) },
  }));
  return { tokenId, token, name, role, expiresAt: instantOf(expiresAt) };
}

/** Finds the actor of a token. Undefined: it is unknown, has ended or was revoked. */
export async function findTokenActor(
  executor: Executor,
  token: string,
): Promise<OperatorActor | undefined> {
  const found = await findToken(executor, tokenDigest(token));
  if (!found) return undefined;
  const { name, role } = found;
  return { applicationId: null, name: `token ${name}`, role, steppedUpUntil: null };
}
