import type { FastifyInstance, FastifyReply } from 'fastify';
import type { SigningKeys, TokenExchange, TokenRefusal } from '../access/index.ts';
import { messageOf, RefusalError, tokenErrors } from '../contract/errors.ts';
import { DatabaseUnavailableError } from '../platform/postgres/database-errors.ts';
import { parseQuery } from '../api/query.ts';
import { frameworkRefusal } from '../api/server.ts';

function sendTokenRefusal(reply: FastifyReply, refusal: TokenRefusal): FastifyReply {
  const { error, description, retryAfterSeconds } = refusal;
  if (error === 'invalid_client') reply.header('www-authenticate', 'Basic realm="latchkey"');
  if (retryAfterSeconds) reply.header('retry-after', String(retryAfterSeconds));
  return reply
    .code(tokenErrors[error])
    .type('application/json')
    .send(JSON.stringify({ error, error_description: description }));
}

function refusalOf(error: unknown): TokenRefusal {
  if (error instanceof DatabaseUnavailableError) {
    const description = 'Tokens cannot be issued just now.';
    return { error: 'temporarily_unavailable', description, retryAfterSeconds: 2 };
  }
  const refused = error instanceof RefusalError ? error : frameworkRefusal(error);
  if (refused?.refusal.refused === 'rate_limited') {
    const { retryAfterSeconds = 1 } = refused.refusal;
    const description = messageOf(refused.refusal);
    return { error: 'rate_limited', description, retryAfterSeconds };
  }
  const fields = refused?.refusal.details as
    | { fields?: { path: string; message: string }[] }
    | undefined;
  const [first] = fields?.fields ?? [];
  const place = first?.path.replace('header/', '') || 'the body';
  return { error: 'invalid_request', description: `${place} ${first?.message ?? 'is not valid'}` };
}

type Asked = Parameters<TokenExchange['issue']>[0];

/** A route of OAuth: credentials and parameters as a form, errors in the form of OAuth. */
function oauthRoute(
  app: FastifyInstance,
  { url, operation, failure }: { url: string; operation: string; failure: string },
  answer: (asked: Asked) => Promise<object | TokenRefusal>,
): void {
  app.route({
    method: 'POST',
    url,
    config: { bodyType: 'form', operation },
    onRequest: async (_request, reply) => {
      reply.header('cache-control', 'no-store').header('pragma', 'no-cache');
    },
    errorHandler: (error, request, reply) => {
      const known = error instanceof RefusalError || error instanceof DatabaseUnavailableError;
      if (known || frameworkRefusal(error)) {
        return sendTokenRefusal(reply, refusalOf(error));
      }
      request.log.error({ requestId: request.id, err: error }, 'token exchange failed');
      const description = failure;
      return sendTokenRefusal(reply, {
        error: 'temporarily_unavailable',
        description,
        retryAfterSeconds: 2,
      });
    },
    handler: async (request, reply) => {
      const text = typeof request.body === 'string' ? request.body : '';
      const malformed = parseQuery(text).fields.find(({ message }) => message.includes('percent'));
      if (malformed) {
        const description = 'The body is not form-encoded UTF-8.';
        return sendTokenRefusal(reply, { error: 'invalid_request', description });
      }
      // Node silently keeps only the first of several Authorization headers.
      if ((request.raw.headersDistinct['authorization']?.length ?? 0) > 1) {
        const description = 'Credentials were sent twice.';
        return sendTokenRefusal(reply, { error: 'invalid_request', description });
      }
      const answered = await answer({
        form: new URLSearchParams(text),
        authorization: request.headers.authorization,
        sourceAddress: request.ip,
      });
      if ('error' in answered) return sendTokenRefusal(reply, answered);
      return reply.type('application/json').send(JSON.stringify(answered));
    },
  });
}

/** The routes of the token endpoint and of the public keys. Spec: ACCESS-4. */
export function tokenRoutes(
  app: FastifyInstance,
  exchange: TokenExchange,
  keys: SigningKeys,
): void {
  const issuing = {
    url: '/oauth/token',
    operation: 'token',
    failure: 'Tokens cannot be issued just now.',
  };
  oauthRoute(app, issuing, async (asked) => {
    const issued = await exchange.issue(asked);
    if ('error' in issued) return issued;
    return {
      access_token: issued.accessToken,
      token_type: 'Bearer',
      expires_in: issued.expiresIn,
      scope: issued.scope,
    };
  });
  const revoking = {
    url: '/oauth/revoke',
    operation: 'revokeToken',
    failure: 'Tokens cannot be revoked just now.',
  };
  oauthRoute(app, revoking, async (asked) => (await exchange.revoke(asked)) ?? {});

  app.get('/.well-known/jwks.json', async (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=60')
      .header('access-control-allow-origin', '*')
      .type('application/json')
      .send(JSON.stringify(keys.jwks())),
  );
}
