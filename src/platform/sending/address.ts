import ipaddr from 'ipaddr.js';

/** `special`: neither this machine nor a host on the internet. */
export type AddressKind = 'public' | 'loopback' | 'special';

type Range = ReturnType<typeof ipaddr.parseCIDR>;
const range = (text: string): Range => ipaddr.parseCIDR(text);

const globalUnicast = range('2000::/3');
// NAT64 addresses contain an IPv4 address in their last four bytes.
const nat64 = range('64:ff9b::/96');
// A public address by which Azure virtual machines reach their host.
const cloudHosts = [range('168.63.129.16/32')];

const isIn = (address: ipaddr.IPv4 | ipaddr.IPv6, cidr: Range): boolean =>
  address.kind() === cidr[0].kind() && address.match(cidr);

function kindOf4(address: ipaddr.IPv4): AddressKind {
  if (address.range() === 'loopback') return 'loopback';
  const isHost = address.range() === 'unicast' && !cloudHosts.some((cidr) => isIn(address, cidr));
  return isHost ? 'public' : 'special';
}

function kindOf6(address: ipaddr.IPv6): AddressKind {
  if (address.zoneId) return 'special';
  if (address.range() === 'loopback') return 'loopback';
  if (isIn(address, nat64)) {
    const inner = new ipaddr.IPv4(address.toByteArray().slice(12));
    return kindOf4(inner) === 'public' ? 'public' : 'special';
  }
  return address.range() === 'unicast' && isIn(address, globalUnicast) ? 'public' : 'special';
}

/** Classifies an address. Everything that is not known to be public or loopback is special. */
export function addressKind(text: string): AddressKind {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return kindOf4(ipaddr.IPv4.parse(text));
  return ipaddr.IPv6.isValid(text) ? kindOf6(ipaddr.IPv6.parse(text)) : 'special';
}
