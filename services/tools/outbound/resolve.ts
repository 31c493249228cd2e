import type { LookupAddress } from 'node:dns'
import { lookup as systemLookup } from 'node:dns/promises'
import { isIP } from 'node:net'

/** Returns a hostname's addresses. Throws if there are none. */
export type Resolve = (hostname: string) => Promise<LookupAddress[]>

export const resolveBySystem: Resolve = hostname => systemLookup(hostname, { all: true })

/** Returns a hostname's addresses. A numeric address is returned unchanged. */
export async function resolveHost(host: string, resolve: Resolve): Promise<LookupAddress[]> {
  const family = isIP(host)
  return family ? [{ address: host, family }] : resolve(host)
}
