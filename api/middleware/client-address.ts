import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'
import proxyAddress from 'proxy-addr'

/** An IPv6 client usually has its own network with a prefix of this length. */
const IPV6_BITS = 64

/**
 * Returns a function that identifies the client by address: the address of the connection, or, behind a trusted
 * proxy, the last untrusted address in `X-Forwarded-For`. IPv6 addresses in the same /64 network count as one client.
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
