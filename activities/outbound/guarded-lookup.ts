import type { LookupAddress } from 'node:dns'
import { lookup as systemLookup } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import type { AddressRule } from './address-rule.ts'
import { blockedAddress } from './errors.ts'

export type Resolve = (hostname: string) => Promise<LookupAddress[]>

export const resolveBySystem: Resolve = hostname => systemLookup(hostname, { all: true })

/**
 * The DNS lookup of a connection. It resolves once and returns only permitted addresses, so that a second DNS answer cannot
 * replace the address that was checked. A name without a permitted address is refused.
 */
export function createGuardedLookup(permits: AddressRule, resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      found => {
        const [first, ...rest] = found.filter(({ address }) => permits(address))
        if (!first) callback(blockedAddress(hostname), '')
        else if (options.all) callback(null, [first, ...rest])
        else callback(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    )
  }
}
