import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Says whether a numeric address may be connected to. Anything that is no address is refused. */
export type AddressRule = (address: string) => boolean

/** The only block of IPv6 that is routed on the public internet. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Public unicast addresses pass, and whatever lies in `allow` (CIDR, or a single address). IPv4 inside IPv6 (`::ffff:…`)
 * is judged as the IPv4 it is; NAT64, 6to4, Teredo and other tunnels count as private. Throws for a malformed entry.
 */
export function createAddressRule(allow: string[]): AddressRule {
  const isListed = createAllowList(allow)
  return text => isListed(text) || (ipaddr.isValid(text) && isPublic(ipaddr.process(text)))
}

/** Only what lies in `allow` passes. Throws for a malformed entry. */
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
