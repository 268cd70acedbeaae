/** The tokens with which scripts call the operator's API. */
import { pageForStaff, type PageOfStaff, type PageRequest } from '../access/index.ts';
import { instant } from '../contract/time.ts';
import { isRefusal, type Refusal } from '../contract/errors.ts';
import { refuseOperator, refuseStaff } from '../contract/operator/errors.ts';
import { operatorLimits } from '../contract/operator/limits.ts';
import type { OperatorReplyOf } from '../contract/operator/operations.ts';
import type { OperatorScope, Role } from '../contract/operator/roles.ts';
import { isInNetworks } from '../platform/allowed-networks.ts';
import { auditedChange } from '../platform/audit/audited-change.ts';
import type { Database, Executor } from '../platform/postgres/database.ts';
import type { OperatorActor } from './actor.ts';
import { newSecret, secretDigest } from '../platform/secret.ts';
import {
  findToken,
  insertToken,
  listTokens,
  setTokenRevoked,
  type StoredToken,
} from './store/tokens.ts';

type TokenView = OperatorReplyOf<'operator.token.revoke'>['body'];

interface TokenInput {
  name: string;
  role: Role;
  lifetimeSeconds: number;
  /** From where it may be used; null: from everywhere. */
  networks?: readonly string[] | null | undefined;
  /** What it may do, of what its role may; null: all of it. */
  scopes?: readonly OperatorScope[] | null | undefined;
}

/** Issues a token. It is returned once and not stored. */
export async function issueOperatorToken(
  database: Database,
  actor: string,
  { name, role, lifetimeSeconds, networks = null, scopes = null }: TokenInput,
) {
  // The prefix lets scanners find a token in texts where it should not be.
  const token = `lko_${newSecret()}`;
  const issue = (executor: Executor) =>
    insertToken(executor, {
      digest: secretDigest(token),
      name,
      role,
      lifetimeSeconds,
      networks,
      scopes,
    });
  const { tokenId, expiresAt } = await auditedChange(database, issue, (issued) => ({
    actor,
    action: 'staff.token.issue',
    details: {
      tokenId: issued.tokenId,
      name,
      role,
      ...(scopes && { scopes }),
      expiresAt: instant(issued.expiresAt),
    },
  }));
  const shown = scopes && [...scopes];
  return { tokenId, token, name, role, scopes: shown, expiresAt: instant(expiresAt) };
}

/** Finds the actor of a token. Undefined: it is unknown, has ended or was revoked. Refused: it is used elsewhere. */
export async function findTokenActor(
  executor: Executor,
  token: string,
  address: string,
): Promise<OperatorActor | Refusal<'forbidden'> | undefined> {
  const found = await findToken(executor, secretDigest(token));
  if (!found) return undefined;
  const { name, role, networks, scopes } = found;
  if (!isInNetworks(networks, address)) return refuseOperator('forbidden', 'network');
  return {
    applicationId: null,
    name: `token ${name}`,
    role,
    scopes,
    isToken: true,
    isSteppedUp: true,
    session: null,
  };
}

const tokenView = ({ createdAt, expiresAt, revokedAt, ...token }: StoredToken): TokenView => ({
  ...token,
  createdAt: instant(createdAt),
  expiresAt: instant(expiresAt),
  revokedAt: instant(revokedAt),
});

/** Lists tokens, newest first. */
export async function listOperatorTokens(
  executor: Executor,
  page: PageRequest,
): Promise<PageOfStaff<TokenView> | Refusal<'invalid_input'>> {
  const found = await pageForStaff(
    executor.vault,
    {
      operation: 'staff.token.list',
      filters: {},
      read: (before: string | null, atMost) => listTokens(executor, before, atMost),
      positionOf: ({ tokenId }) => tokenId,
    },
    { limit: operatorLimits.longPageSize.default, ...page },
  );
  return isRefusal(found) ? found : { ...found, items: found.items.map(tokenView) };
}

/** Revokes a token. */
export async function revokeOperatorToken(
  database: Database,
  actor: string,
  tokenId: string,
): Promise<TokenView | Refusal<'not_found'>> {
  const revoked = await auditedChange(
    database,
    async (executor) =>
      (await setTokenRevoked(executor, tokenId)) ??
      refuseStaff('not_found', `There is no token ${tokenId}.`),
    ({ name }) => ({ actor, action: 'staff.token.revoke', details: { tokenId, name } }),
  );
  return isRefusal(revoked) ? revoked : tokenView(revoked);
}
