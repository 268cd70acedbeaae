import { SignJWT, type JWTHeaderParameters } from 'jose';
import { randomUUID } from 'node:crypto';
import { openSigningKeys } from '../../src/access/signing-keys.ts';
import type { Executor } from '../../src/platform/postgres/database.ts';
import { scopes } from '../../src/contract/scopes.ts';
import { testBaseUrl } from './base-url.ts';

/** What differs from a token that the service would issue; undefined leaves a claim out. */
export interface Crafted {
  claims?: Record<string, unknown>;
  header?: Partial<JWTHeaderParameters>;
  /** Instead of the key that signs for the service. */
  key?: CryptoKey | Uint8Array;
}

const now = (): number => Math.floor(Date.now() / 1000);

/** The header and claims that the service would give to a token of this application. */
export async function ordinary(executor: Executor, applicationId: string) {
  const { keyId, privateKey } = (await openSigningKeys(executor)).current();
  return {
    header: { alg: 'EdDSA', typ: 'at+jwt', kid: keyId },
    claims: {
      iss: testBaseUrl,
      aud: testBaseUrl,
      sub: applicationId,
      client_id: applicationId,
      scope: scopes.join(' '),
      jti: randomUUID(),
      iat: now(),
      exp: now() + 900,
    },
    key: privateKey,
  };
}

/** A header parameter of no standard: can be named as critical. */
export const strangeHeader = { crit: ['extension'], extension: 1 };

/** A token signed with the service's own key, as the service would issue it but for what is named. */
export async function craftToken(
  executor: Executor,
  applicationId: string,
  { claims = {}, header = {}, key }: Crafted = {},
): Promise<string> {
  const usual = await ordinary(executor, applicationId);
  return new SignJWT({ ...usual.claims, ...claims })
    .setProtectedHeader({ ...usual.header, ...header })
    .sign(key ?? usual.key, { crit: { extension: true } });
}
