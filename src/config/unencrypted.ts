/** Connections that cross a network without TLS. */
import { addressKind } from '../platform/sending/address.ts';
import { readServers } from '../platform/postgres/hosts.ts';
import type { Config } from './config.ts';
import { loopback } from './reader.ts';

const bare = (host: string): string => host.replaceAll(/^\[|\]$/g, '');

const isLocal = (host: string): boolean =>
  host === '' || host.startsWith('/') || loopback.has(bare(host));

const encrypted = new Set(['require', 'verify-ca', 'verify-full', 'no-verify']);

/** The servers of a PostgreSQL URL on another machine to which TLS is not demanded. */
function clearPostgres(text: string | null): string[] {
  if (text === null) return [];
  return (readServers(text)?.urls ?? []).flatMap((url) => {
    const [, authority = '', query = ''] = /^[^:]+:\/\/([^/?]*)[^?]*\??(.*)$/.exec(url) ?? [];
    const parameters = new URLSearchParams(query);
    const host = parameters.get('host') ?? authority.replace(/^.*@/, '').replace(/:\d*$/, '');
    const hasTls =
      encrypted.has(parameters.get('sslmode') ?? '') || parameters.get('ssl') === 'true';
    return isLocal(host) || hasTls ? [] : [bare(host)];
  });
}

function clearRedis(text: string | null): string[] {
  const url = text === null ? null : URL.parse(text);
  return url?.protocol === 'redis:' && !isLocal(url.hostname) ? [bare(url.hostname)] : [];
}

type Settings = Pick<
  Config,
  'databaseUrl' | 'databaseOwnerUrl' | 'replicaUrl' | 'redisUrl' | 'metricsPort' | 'host'
>;

/** A setting whose connections others on the network can read, and the hosts that they go to. */
interface ClearSetting {
  setting: string;
  hosts: string[];
}

/** The settings whose connections others on the network can read. */
export const unencryptedIn = (config: Settings): ClearSetting[] =>
  Object.entries({
    DATABASE_URL: clearPostgres(config.databaseUrl),
    LATCHKEY_DATABASE_OWNER_URL: clearPostgres(config.databaseOwnerUrl),
    DATABASE_REPLICA_URL: clearPostgres(config.replicaUrl),
    REDIS_URL: clearRedis(config.redisUrl),
    LATCHKEY_METRICS_PORT:
      config.metricsPort !== null && !isLocal(config.host) ? [config.host] : [],
  })
    .filter(([, hosts]) => hosts.length > 0)
    .map(([setting, hosts]) => ({ setting, hosts }));

const remedy =
  'use TLS (sslmode=verify-full, rediss://), a private address or a tunnel, or, if that address is in a network of yours, set LATCHKEY_PLAIN_CONNECTIONS=anywhere';

/**
 * What is wrong with connections that leave the private network without TLS.
 *
 * @param addressesOf the addresses of a host; none: it is not known
 */
export async function publicClearProblems(
  config: Settings,
  addressesOf: (host: string) => Promise<readonly string[]>,
): Promise<string[]> {
  const problems: string[] = [];
  for (const { setting, hosts } of unencryptedIn(config)) {
    const addresses = (await Promise.all(hosts.map(addressesOf))).flat();
    const open = addresses.find((address) => addressKind(address) === 'public');
    if (open !== undefined) {
      problems.push(
        `${setting}: live sends nothing in clear over ${open}, a public address: ${remedy}.`,
      );
    }
  }
  return problems;
}
