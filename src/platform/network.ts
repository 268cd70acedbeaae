import ipaddr from 'ipaddr.js';

/**
 * The network that a limit per address counts for: an IPv4 address, or the first 64 bits of an IPv6 address,
 * which one caller usually has as a whole.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${Buffer.from(parsed.toByteArray().slice(0, 8)).toString('hex')}/64`;
}
