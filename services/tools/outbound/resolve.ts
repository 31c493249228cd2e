import type { LookupAddress } from 'node:dns'
import { lookup as systemLookup } from 'node:dns/promises'
import { isIP } from 'node:net'

/** Returns the addresses of a name; throws when there are none. */
export type Resolve = (hostname: string) => Promise<LookupAddress[]>

export const resolveBySystem: Resolve = hostname => systemLookup(hostname, { all: true })

/** Returns the addresses of a name; of a numeric address, itself. */
export async function resolveHost(host: string, resolve: Resolve): Promise<LookupAddress[]> {
  const family = isIP(host)
  return family ? [{ address: host, family }] : resolve(host)
}
