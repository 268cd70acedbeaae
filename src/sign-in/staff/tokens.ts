/** What administrators do with the tokens of scripts. */
import { networksOf } from '../../access/index.ts';
import { isRefusal } from '../../contract/errors.ts';
import { operatorLimits } from '../../contract/operator/limits.ts';
import { type OperatorScope, type Role, scopesOfRole } from '../../contract/operator/roles.ts';
import { refuseStaff } from '../../contract/operator/errors.ts';
import { daySeconds } from '../../contract/time.ts';
import { issueOperatorToken, listOperatorTokens, revokeOperatorToken } from '../tokens.ts';
import { memberActs } from './acts.ts';

const secondsOf = (days: number = operatorLimits.tokenDays.default): number =>
  Math.round(days * daySeconds);

const beyondRole = (role: Role, scope: OperatorScope) =>
  refuseStaff('invalid_input', `The role ${role} has no scope ${scope}.`, {
    path: '/scopes',
    message: `must be of the role ${role}`,
  });

/** Tokens: listed, issued, revoked. */
export const tokenActs = memberActs({
  'operator.token.list': ({ context, query }) =>
    context.reads.run((from) => listOperatorTokens(from, query)),
  'operator.token.issue': ({ context, actor, body: { name, role, expiresInDays, ...body } }) => {
    const beyond = body.scopes?.find((scope) => !scopesOfRole[role].includes(scope));
    if (beyond !== undefined) return beyondRole(role, beyond);
    const networks = networksOf(body.networks);
    if (isRefusal(networks)) return networks;
    const input = {
      name,
      role,
      lifetimeSeconds: secondsOf(expiresInDays),
      networks,
      scopes: body.scopes,
    };
    return issueOperatorToken(context.database, actor.name, input);
  },
  'operator.token.revoke': ({ context, actor, params }) =>
    revokeOperatorToken(context.database, actor.name, params.tokenId),
});
