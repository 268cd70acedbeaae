import { isIP } from 'node:net';
import { hostOf, isLocalName } from './host.ts';
import { addressKind, type AddressKind } from './address.ts';

/** The rules of remote URLs, which others have chosen, that depend on the environment. */
export interface RemoteRules {
  /** Whether a URL may be on this machine, for development. */
  loopbackAllowed: boolean;
}

const longestUrl = 2_000;

/** The kind of a host that is written as an address. Null: a name, whose addresses are checked later. */
function writtenKind(host: string): AddressKind | null {
  if (isLocalName(host)) return 'loopback';
  return isIP(host) === 0 ? null : addressKind(host);
}

interface Candidate {
  text: string;
  url: URL;
  kind: AddressKind | null;
  rules: RemoteRules;
}

/** The rules of a remote URL, in the order in which they are checked. Spec: WEBHOOK-3. */
const refusals: readonly { why: string; refuses(candidate: Candidate): boolean }[] = [
  {
    why: `is longer than ${longestUrl} characters`,
    refuses: ({ text }) => text.length > longestUrl,
  },
  {
    why: 'must begin with https://',
    refuses: ({ url, kind, rules }) =>
      url.protocol !== 'https:' &&
      !(url.protocol === 'http:' && kind === 'loopback' && rules.loopbackAllowed),
  },
  { why: 'must name a host', refuses: ({ url }) => hostOf(url) === '' },
  {
    why: 'must not hold a user name or password',
    refuses: ({ url }) => url.username !== '' || url.password !== '',
  },
  { why: 'must not have a fragment', refuses: ({ text }) => text.includes('#') },
  { why: 'must have a port from 1 to 65535', refuses: ({ url }) => url.port === '0' },
  {
    why: 'is on this machine, which is not reached from here',
    refuses: ({ kind, rules }) => kind === 'loopback' && !rules.loopbackAllowed,
  },
  {
    why: 'has an address that is not on the public internet',
    refuses: ({ kind }) => kind === 'special',
  },
];

/** Returns the problem of a remote URL as a phrase without subject. Null: none is visible in the URL itself. */
export function remoteUrlRefusal(text: string, rules: RemoteRules): string | null {
  const url = URL.parse(text);
  if (!url) return 'is not a URL';
  const candidate = { text, url, kind: writtenKind(hostOf(url)), rules };
  return refusals.find(({ refuses }) => refuses(candidate))?.why ?? null;
}
