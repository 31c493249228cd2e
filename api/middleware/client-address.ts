import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'
import proxyAddress from 'proxy-addr'

/** An IPv6 client usually has a network of this size for itself. */
const IPV6_BITS = 64

/**
 * Returns a function that names the address of the client: of the connection, or, if that is a trusted proxy, the last
 * address in `X-Forwarded-For` that is not. Addresses of one IPv6 network of 64 bits have the same name.
 * @param proxies trusted addresses and CIDRs
 */
export function createClientAddress(proxies: string[]): (req: IncomingMessage) => string {
  const isTrusted = proxyAddress.compile(proxies)
  return req => {
    const connected = req.socket.remoteAddress ?? 'unknown'
    const address = proxies.length === 0 ? connected : proxyAddress(req, isTrusted)
    return getNetwork(ipaddr.isValid(address) ? address : connected)
  }
}

function getNetwork(text: string): string {
  if (!ipaddr.isValid(text)) return text
  const address = ipaddr.process(text)
  if (address instanceof ipaddr.IPv4) return address.toString()
  return ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${IPV6_BITS}`).toString()
}
