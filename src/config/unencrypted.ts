/** Connections that cross a network without TLS. */
import { readServers } from '../platform/postgres/hosts.ts';
import type { Config } from './config.ts';
import { loopback } from './reader.ts';

const isLocal = (host: string): boolean =>
  host === '' || host.startsWith('/') || loopback.has(host.replaceAll(/^\[|\]$/g, ''));

const encrypted = new Set(['require', 'verify-ca', 'verify-full', 'no-verify']);

/** Whether one server of a PostgreSQL URL is on another machine, and TLS is not demanded. */
function isClearPostgres(text: string | null): boolean {
  if (text === null) return false;
  return (readServers(text)?.urls ?? []).some((url) => {
    const [, authority = '', query = ''] = /^[^:]+:\/\/([^/?]*)[^?]*\??(.*)$/.exec(url) ?? [];
    const parameters = new URLSearchParams(query);
    const host = parameters.get('host') ?? authority.replace(/^.*@/, '').replace(/:\d*$/, '');
    const hasTls =
      encrypted.has(parameters.get('sslmode') ?? '') || parameters.get('ssl') === 'true';
    return !isLocal(host) && !hasTls;
  });
}

const isClearRedis = (text: string | null): boolean =>
  text !== null && text.startsWith('redis:') && !isLocal(URL.parse(text)?.hostname ?? '');

type Settings = Pick<
  Config,
  'databaseUrl' | 'databaseOwnerUrl' | 'replicaUrl' | 'redisUrl' | 'metricsPort' | 'host'
>;

/** The settings whose connections others on the network can read. */
export const unencryptedIn = (config: Settings): string[] =>
  Object.entries({
    DATABASE_URL: isClearPostgres(config.databaseUrl),
    LATCHKEY_DATABASE_OWNER_URL: isClearPostgres(config.databaseOwnerUrl),
    DATABASE_REPLICA_URL: isClearPostgres(config.replicaUrl),
    REDIS_URL: isClearRedis(config.redisUrl),
    LATCHKEY_METRICS_PORT: config.metricsPort !== null && !isLocal(config.host),
  })
    .filter(([, isClear]) => isClear)
    .map(([name]) => name);
