import ipaddr from 'ipaddr.js'
import { type Address, isPublic } from './addresses.ts'
import type { ComponentRule } from './component-rule.ts'

/**
 * Resolves to true if connections to a numeric address and port are allowed. Resolves to false for any string that is
 * not an address.
 */
export type AddressRule = (address: string, port: number) => Promise<boolean>

/** Returns true if a numeric address and port are on the list. */
export type AllowList = (address: string, port: number) => boolean

/**
 * Allows public unicast addresses and the addresses in `allow`, except those of components. IPv4 inside IPv6
 * (`::ffff:…`) is checked as IPv4. NAT64, 6to4, Teredo and other tunnels count as private. Throws for a malformed
 * entry.
 */
export function createAddressRule(allow: string[], isComponent: ComponentRule): AddressRule {
  const isListed = createAllowList(allow)
  return async (text, port) => {
    if (!ipaddr.isValid(text)) return false
    const isOpen = isListed(text, port) || isPublic(ipaddr.process(text))
    return isOpen && !(await isComponent(text, port))
  }
}

/**
 * Allows only the entries in `allow`: CIDRs or single addresses, for all ports or for one port (`10.1.0.0/16:443`,
 * `[fd00::/8]:443`). Throws for a malformed entry.
 */
export function createAllowList(allow: string[]): AllowList {
  const entries = allow.map(parseEntry)
  return (text, port) => {
    if (!ipaddr.isValid(text)) return false
    const address = ipaddr.process(text)
    return entries.some(entry => (entry.port ?? port) === port && contains(entry.network, address))
  }
}

type Network = [Address, number]

function contains([network, bits]: Network, address: Address): boolean {
  return network.kind() === address.kind() && address.match(network, bits)
}

const MAX_PORT = 65_535
const WITH_PORT = /^(?:\[(?<ipv6>[^\]]+)\]|(?<ipv4>[\d./]+)):(?<port>[1-9]\d*)$/

function parseEntry(text: string): { network: Network; port?: number } {
  const { ipv6, ipv4, port } = WITH_PORT.exec(text)?.groups ?? {}
  try {
    if (Number(port) > MAX_PORT) throw new Error(`${port} is not a valid port`)
    return { network: parseNetwork(ipv6 ?? ipv4 ?? text), ...(port && { port: Number(port) }) }
  } catch (error) {
    const message = `OUTBOUND_ALLOW: "${text}" must be a CIDR such as 10.1.0.0/16, optionally with a port such as 10.1.0.0/16:443`
    throw new Error(message, { cause: error })
  }
}

function parseNetwork(text: string): Network {
  if (text.includes('/')) return ipaddr.parseCIDR(text)
  const address = ipaddr.process(text)
  return [address, address instanceof ipaddr.IPv4 ? 32 : 128]
}
