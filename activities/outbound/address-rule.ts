import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Returns true when a numeric address may be connected to; false for anything that is not an address. */
export type AddressRule = (address: string) => boolean

/** The only block of IPv6 that is routed on the public internet. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Permits public unicast addresses and those in `allow` (CIDR, or a single address). IPv4 inside IPv6 (`::ffff:…`) is
 * checked as IPv4; NAT64, 6to4, Teredo and other tunnels count as private. Throws for a malformed entry.
 */
export function createAddressRule(allow: string[]): AddressRule {
  const isListed = createAllowList(allow)
  return text => isListed(text) || (ipaddr.isValid(text) && isPublic(ipaddr.process(text)))
}

/** Permits only addresses in `allow`. Throws for a malformed entry. */
export function createAllowList(allow: string[]): AddressRule {
  const allowed = allow.map(parseRange)
  return text => {
    if (!ipaddr.isValid(text)) return false
    const address = ipaddr.process(text)
    return allowed.some(range => contains(range, address))
  }
}

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_IPV6)
}

function contains([network, bits]: [Address, number], address: Address): boolean {
  return network.kind() === address.kind() && address.match(network, bits)
}

function parseRange(text: string): [Address, number] {
  try {
    if (text.includes('/')) return ipaddr.parseCIDR(text)
    const address = ipaddr.process(text)
    return [address, address instanceof ipaddr.IPv4 ? 32 : 128]
  } catch (error) {
    throw new Error(`OUTBOUND_ALLOW: "${text}" must be a CIDR such as 10.1.0.0/16`, { cause: error })
  }
}
