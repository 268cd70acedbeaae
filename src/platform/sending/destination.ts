import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { addressKind } from './address.ts';
import { hostOf, isLocalName } from './host.ts';
import { remoteUrlRefusal, type RemoteRules } from './remote-url.ts';

/** Resolves all addresses of a name. Throws if there are none. */
export type Resolve = (name: string) => Promise<string[]>;

/** The permitted addresses of an attempt, in the order in which they are tried. */
export type Destination =
  | { url: URL; addresses: readonly string[] }
  | { error: 'dns' | 'forbidden_address' };

const queryMs = 2_000;
const queryTries = 2;
const localAddresses = ['127.0.0.1', '::1'];

/**
 * Queries DNS directly. The lookup of the operating system has four threads per process, so a few slow names
 * would delay all others.
 */
export function createResolve(): Resolve {
  const resolver = new Resolver({ timeout: queryMs, tries: queryTries });
  return async (name) => {
    const results = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    return results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  };
}

// What is checked in a URL itself never changes, and it is used for each delivery.
const urlsAtMost = 1_000;
const urlsBy = new WeakMap<RemoteRules, Map<string, URL | null>>();

/** A URL; null: the rules forbid it. */
function allowedUrl(text: string, rules: RemoteRules): URL | null {
  const urls = urlsBy.getOrInsertComputed(rules, () => new Map());
  const known = urls.get(text);
  if (known !== undefined) return known;
  const url = remoteUrlRefusal(text, rules) === null ? URL.parse(text) : null;
  if (urls.size >= urlsAtMost) urls.clear();
  urls.set(text, url);
  return url;
}

async function addressesOf(host: string, resolve: Resolve): Promise<readonly string[]> {
  if (isLocalName(host)) return localAddresses;
  return isIP(host) === 0 ? resolve(host) : [host];
}

/**
 * Resolves and checks the addresses of a URL. One forbidden address forbids all. The attempt connects to these
 * addresses, not to the name, which could resolve differently later.
 */
export async function findDestination(
  text: string,
  rules: RemoteRules,
  resolve: Resolve,
): Promise<Destination> {
  const url = allowedUrl(text, rules);
  if (url === null) return { error: 'forbidden_address' };
  const host = hostOf(url);
  const addresses = await addressesOf(host, resolve).catch(() => []);
  if (addresses.length === 0) return { error: 'dns' };
  const isNamed = isIP(host) === 0 && !isLocalName(host);
  if (isNamed && addresses.some((address) => addressKind(address) !== 'public')) {
    return { error: 'forbidden_address' };
  }
  return { url, addresses };
}
