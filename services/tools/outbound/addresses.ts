import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

export type Address = ipaddr.IPv4 | ipaddr.IPv6

/** The only IPv6 block that is routed on the public internet. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')
/** Connections to addresses in these ranges stay on this host. */
const THIS_HOST = new Set(['loopback', 'unspecified'])

export function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_IPV6)
}

/** Returns true if both addresses belong to the same host, as far as this host can tell. */
export function isSameHost(address: Address, other: Address): boolean {
  return address.toString() === other.toString() || (isThisHost(address) && isThisHost(other))
}

function isThisHost(address: Address): boolean {
  if (THIS_HOST.has(address.range())) return true
  const interfaces = Object.values(networkInterfaces()).flat()
  return interfaces.some(entry => entry && ipaddr.process(entry.address).toString() === address.toString())
}
