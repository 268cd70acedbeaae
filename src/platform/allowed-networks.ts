/** The networks from which a key or token may be used. */

import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

function rangeOf(text: string): [Address, number] | null {
  if (ipaddr.isValid(text)) {
    const address = ipaddr.process(text);
    return [address, address.kind() === 'ipv4' ? 32 : 128];
  }
  return ipaddr.isValidCIDR(text) ? ipaddr.parseCIDR(text) : null;
}

/** A network as it is stored, without bits of a host; null: the text is none. A plain address is a network of its own. */
export function canonicalNetwork(text: string): string | null {
  // The parser also takes forms such as `127.1` and `0x7f.0.0.1`.
  if (!/^(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f:]*:[0-9a-f:.]*)(?:\/\d{1,3})?$/i.test(text))
    return null;
  const range = rangeOf(text);
  if (!range) return null;
  const [address, bits] = range;
  const type = address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${type.networkAddressFromCIDR(`${address.toString()}/${bits}`).toString()}/${bits}`;
}

const includes = (network: string, address: Address): boolean => {
  const [base, bits] = ipaddr.parseCIDR(network);
  return base.kind() === address.kind() && address.match(base, bits);
};

/** Whether an address is in one of the networks; null: every address is. Spec: ACCESS-13. */
export function isInNetworks(networks: readonly string[] | null, address: string): boolean {
  if (networks === null) return true;
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return networks.some((network) => includes(network, parsed));
}
