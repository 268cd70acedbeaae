import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Application, SigningKeys, TokenExchange, TokenRefusal } from '../access/index.ts';
import { sendDamage } from '../api/send-response.ts';
import type { AnyResponse } from '../api/response.ts';
import type { Interference } from '../api/surface.ts';
import {
  isRefusal,
  messageOf,
  type Refusal,
  RefusalError,
  tokenErrors,
} from '../contract/errors.ts';
import { DatabaseUnavailableError } from '../platform/postgres/database-errors.ts';
import { parseQuery } from '../api/query.ts';
import { frameworkRefusal, logOf } from '../api/server.ts';

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

/** What an application has ordered for its token exchanges; null: nobody can order anything here. */
export type InterfereWithToken =
  | ((application: Application, request: FastifyRequest) => Promise<Interference>)
  | null;

/** The errors of OAuth for what the sandbox answers in place of an exchange. */
const faultErrors: Readonly<Record<string, { status: number; error: string }>> = {
  rate_limited: { status: 429, error: 'rate_limited' },
  internal: { status: 500, error: 'server_error' },
  unavailable: { status: 503, error: 'temporarily_unavailable' },
  unresolved: { status: 504, error: 'temporarily_unavailable' },
};

/** Sends what the sandbox has made of an exchange. */
function sendPlayed(reply: FastifyReply, played: AnyResponse | Refusal): FastifyReply {
  if (!isRefusal(played)) {
    const response = played as AnyResponse;
    if (response.damage === undefined) {
      return reply.type('application/json').send(JSON.stringify(response.body));
    }
    sendDamage(reply, response.damage);
    return reply.hijack();
  }
  const { status, error } = faultErrors[played.refused]!;
  reply.header('retry-after', String(played.retryAfterSeconds ?? 2));
  return reply
    .code(status)
    .type('application/json')
    .send(JSON.stringify({ error, error_description: messageOf(played) }));
}

/** A route of OAuth: credentials and parameters as a form, errors in the form of OAuth. */
function oauthRoute(
  app: FastifyInstance,
  { url, operation, failure }: { url: string; operation: string; failure: string },
  answer: (
    asked: Asked,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => Promise<object | TokenRefusal>,
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
      logOf(request).error({ requestId: request.id, err: error }, 'token exchange failed');
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
      const asked = {
        form: new URLSearchParams(text),
        authorization: request.headers.authorization,
        sourceAddress: request.ip,
      };
      const answered = await answer(asked, request, reply);
      if (answered === reply) return reply;
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
  interfere: InterfereWithToken = null,
): void {
  const issuing = {
    url: '/oauth/token',
    operation: 'token',
    failure: 'Tokens cannot be issued just now.',
  };
  oauthRoute(app, issuing, async (asked, request, reply) => {
    let played: Interference = null;
    const onClient = async (application: Application): Promise<boolean> => {
      played = (await interfere?.(application, request)) ?? null;
      return played !== null && 'instead' in played;
    };
    const issued = await exchange.issue({ ...asked, onClient });
    // Not seen by the compiler: `onClient` has set it.
    const interference = played as Interference;
    if (interference && 'instead' in interference) return sendPlayed(reply, interference.instead);
    if (issued === null) throw new Error('nothing has ended the exchange');
    if ('error' in issued) return issued;
    const body = {
      access_token: issued.accessToken,
      token_type: 'Bearer',
      expires_in: issued.expiresIn,
      scope: issued.scope,
    };
    if (!interference) return body;
    return sendPlayed(reply, await interference.afterwards({ status: 200, body }));
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
