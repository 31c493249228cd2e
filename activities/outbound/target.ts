import ipaddr from 'ipaddr.js'
import type { AddressRule } from './address-rule.ts'
import { badUrl, blockedAddress } from './errors.ts'

/**
 * Parses and checks the URL of a request. The URL parser normalizes every spelling of an IPv4 address (octal, hex, short,
 * one number, full-width digits), so the address that is checked is the one connected to. Names are checked when they are
 * resolved. Throws StepError BAD_URL or BLOCKED_ADDRESS.
 */
export function parseTarget(url: string, permits: AddressRule, base?: URL): URL {
  const target = URL.parse(url, base?.href)
  if (!target) throw badUrl('The URL must be absolute, such as https://example.com/path')
  if (target.protocol !== 'http:' && target.protocol !== 'https:') {
    throw badUrl(`The scheme of the URL must be http or https, not ${target.protocol.slice(0, -1)}`)
  }
  if (target.username || target.password) {
    throw badUrl('The URL must not have credentials; send them in an Authorization header')
  }
  const literal = target.hostname.replace(/^\[|\]$/g, '')
  if (ipaddr.isValid(literal) && !permits(literal)) throw blockedAddress(target.host)
  return target
}
