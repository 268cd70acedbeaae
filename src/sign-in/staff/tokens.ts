/** What administrators do with the tokens of scripts. */
import { networksOf } from '../../access/index.ts';
import { isRefusal } from '../../contract/errors.ts';
import { operatorLimits } from '../../contract/operator/limits.ts';
import { daySeconds } from '../../contract/time.ts';
import { issueOperatorToken, listOperatorTokens, revokeOperatorToken } from '../tokens.ts';
import { memberActs } from './acts.ts';

const secondsOf = (days: number = operatorLimits.tokenDays.default): number =>
  Math.round(days * daySeconds);

/** Tokens: listed, issued, revoked. */
export const tokenActs = memberActs({
  'operator.token.list': ({ context }) => context.reads.run(listOperatorTokens),
  'operator.token.issue': ({ context, actor, body: { name, role, expiresInDays, ...body } }) => {
    const networks = networksOf(body.networks);
    if (isRefusal(networks)) return networks;
    const input = { name, role, lifetimeSeconds: secondsOf(expiresInDays), networks };
    return issueOperatorToken(context.database, actor.name, input);
  },
  'operator.token.revoke': ({ context, actor, params }) =>
    revokeOperatorToken(context.database, actor.name, params.tokenId),
});
