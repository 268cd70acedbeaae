/** Kinds of unknown caller, by their `Authorization` header. */
import { createPublicKey, generateKeyPairSync, randomUUID } from 'node:crypto';
import { openSigningKeys } from '../../src/access/signing-keys.ts';
import { suspendApplication } from '../../src/access/store/applications.ts';
import { craftToken, ordinary, type Crafted } from '../harness/crafted-token.ts';
import { eventually } from '../harness/eventually.ts';
import { basic } from '../harness/token-endpoint.ts';
import type { Partner } from '../harness/partner.ts';
import type { TestService } from '../harness/service.ts';

/** Where a caller's token is made, and for which application. */
export interface CallSituation {
  service: TestService;
  partner: Partner;
}

type Authorization = (situation: CallSituation) => Promise<string | null>;

const seconds = (fromNow: number): number => Math.floor(Date.now() / 1000) + fromNow;

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

const crafted =
  (how: (situation: CallSituation) => Crafted | Promise<Crafted>): Authorization =>
  async (situation) => {
    const { service, partner } = situation;
    const { applicationId } = partner.credentials;
    return `Bearer ${await craftToken(service.database, applicationId, await how(situation))}`;
  };

const { privateKey: foreignKey } = generateKeyPairSync('ed25519');
const foreign = (): Promise<CryptoKey> =>
  crypto.subtle.importKey('jwk', foreignKey.export({ format: 'jwk' }), 'Ed25519', true, ['sign']);

async function publicJwk({ service }: CallSituation) {
  const [jwk] = (await openSigningKeys(service.database)).jwks().keys;
  return jwk as Record<string, string>;
}

async function publicPem(situation: CallSituation): Promise<Buffer> {
  const key = createPublicKey({ key: await publicJwk(situation), format: 'jwk' });
  return Buffer.from(key.export({ type: 'spki', format: 'pem' }));
}

const unsigned: Authorization = async ({ service, partner }) => {
  const { header, claims } = await ordinary(service.database, partner.credentials.applicationId);
  return `Bearer ${encoded({ ...header, alg: 'none' })}.${encoded(claims)}.`;
};

/** A token that was right until its application was suspended. */
const suspended: Authorization = async ({ service }) => {
  const partner = await service.partner();
  const token = await partner.token();
  await suspendApplication(service.database, partner.credentials.applicationId, 'a test');
  const response = () => partner.call('distribution.site.get', { token });
  await eventually(async () => (await response()).status === 401);
  return `Bearer ${token}`;
};

/** All of these get 401. (test/http/access has all spellings of each kind.) */
export const unknownCallers: Readonly<Record<string, Authorization>> = {
  'no token': async () => null,
  garbage: async () => 'Bearer garbage',
  'the application key as token': async ({ partner }) =>
    `Bearer ${partner.credentials.applicationKey}`,
  'ID and key by HTTP Basic': async ({ partner: { credentials } }) =>
    basic(credentials.applicationId, credentials.applicationKey),
  'expired token': crafted(() => ({ claims: { iat: seconds(-960), exp: seconds(-60) } })),
  'wrong audience': crafted(() => ({ claims: { aud: 'https://api.example.com' } })),
  'wrong issuer': crafted(() => ({ claims: { iss: 'https://api.example.com' } })),
  'alg none': unsigned,
  'HS256 with the public key › its bytes': crafted(async (situation) => ({
    header: { alg: 'HS256' },
    key: Buffer.from((await publicJwk(situation))['x'] ?? '', 'base64url'),
  })),
  'HS256 with the public key › as PEM': crafted(async (situation) => ({
    header: { alg: 'HS256' },
    key: await publicPem(situation),
  })),
  'unknown kid': crafted(async () => ({ header: { kid: 'unknown' }, key: await foreign() })),
  'our kid, signed by another': crafted(async () => ({ key: await foreign() })),
  'application that does not exist': crafted(() => {
    const applicationId = randomUUID();
    return { claims: { sub: applicationId, client_id: applicationId } };
  }),
  'suspended application': suspended,
};
