import { isIP } from 'node:net';
import { addressKind, type AddressKind } from './address.ts';

/** Where endpoints may be. */
export interface EndpointRules {
  /** Whether this machine may be told as well: for receiving on a laptop. */
  loopbackAllowed: boolean;
}

const longestUrl = 2_000;

/** The host of a URL as a name or an address: without brackets, and without the dot of the root. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');

/** Whether a name is this machine's own by definition. */
export const isLocalName = (host: string): boolean => /^(?:.+\.)?localhost$/.test(host);

/** Of a host as it is written; null: a name, to be judged by the addresses that it has. */
function writtenKind(host: string): AddressKind | null {
  if (isLocalName(host)) return 'loopback';
  return isIP(host) === 0 ? null : addressKind(host);
}

interface Candidate {
  text: string;
  url: URL;
  kind: AddressKind | null;
  rules: EndpointRules;
}

/** THE rules of an endpoint's URL, in the order in which they are told. Spec: Webhooks; HTTPS only. */
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

/** What is wrong with the URL of an endpoint, to go on after its name; null: nothing as it is written. */
export function endpointUrlRefusal(text: string, rules: EndpointRules): string | null {
  const url = URL.parse(text);
  if (!url) return 'is not a URL';
  const candidate = { text, url, kind: writtenKind(hostOf(url)), rules };
  return refusals.find(({ refuses }) => refuses(candidate))?.why ?? null;
}
