import type { Environment } from '../contract/wire.ts';
import type { ProviderSettings } from '../sign-in/index.ts';
import { isSafeUrl, type Reader } from './reader.ts';

const names = [
  'LATCHKEY_OIDC_ISSUER',
  'LATCHKEY_OIDC_CLIENT_ID',
  'LATCHKEY_OIDC_CLIENT_SECRET',
] as const;

/** Reads the OpenID provider of staff, all of its variables or none. Null: there is none. */
export function signInProviderOf(
  reader: Reader,
  environment: Environment,
): ProviderSettings | null {
  const [issuer, clientId, clientSecret] = names.map((name) => reader.text(name));
  if (!issuer && !clientId && !clientSecret) return null;
  const missing = names.filter((name) => reader.text(name) === null);
  for (const name of missing) {
    reader.wrong(name, 'is required beside the other variables of the OpenID provider.');
  }
  if (!issuer || !clientId || !clientSecret) return null;
  const url = URL.parse(issuer);
  if (isSafeUrl(url, environment)) return { issuer: url, clientId, clientSecret };
  const exception = environment === 'live' ? '' : ', or an http URL of this machine';
  reader.wrong('LATCHKEY_OIDC_ISSUER', `must be an https URL${exception}.`);
  return null;
}
