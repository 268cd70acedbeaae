import { noRows } from '../../platform/postgres/statement-functions.ts';

/** An access token of an application; `expiresAt` in seconds since 1970. */
export interface TokenToRevoke {
  applicationId: string;
  tokenId: string;
  expiresAt: number;
}

/** Revokes an access token. Revoking it again changes nothing. */
export const revokeToken = noRows<[token: TokenToRevoke]>({
  name: 'revoke-token',
  text: `INSERT INTO revoked_tokens (application_id, token_id, expires_at)
    VALUES ($1, $2, to_timestamp($3)) ON CONFLICT DO NOTHING`,
  values: (token) => [token.applicationId, token.tokenId, token.expiresAt],
});
