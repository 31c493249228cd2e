import type { LookupAddress } from 'node:dns'
import { lookup as systemLookup } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import type { AddressRule } from './address-rule.ts'
import { blockedAddress } from './errors.ts'

export type Resolve = (hostname: string) => Promise<LookupAddress[]>

export const resolveBySystem: Resolve = hostname => systemLookup(hostname, { all: true })

/**
 * The lookup of a connection: it resolves once and hands on only addresses that pass, so the address that was judged is
 * the one connected to and a second DNS answer can't slip another in. A name without such an address is refused.
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
