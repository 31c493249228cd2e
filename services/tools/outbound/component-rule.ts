import type { LookupAddress } from 'node:dns'
import ipaddr from 'ipaddr.js'
import type { Endpoint } from '../../../config/endpoints.ts'
import { type Address, isPublic, isSameHost } from './addresses.ts'
import { type Resolve, resolveHost } from './resolve.ts'

/** Returns true if a numeric address and port belong to a component. */
export type ComponentRule = (address: string, port: number) => Promise<boolean>

/**
 * Component hosts are resolved on each call, but only the hosts with the given port. If a host does not resolve, its
 * last known addresses are used.
 */
export function createComponentRule(components: Endpoint[], resolve: Resolve): ComponentRule {
  const lastAddresses = new Map<string, LookupAddress[]>()

  async function findAddresses({ host, isShared }: Endpoint): Promise<Address[]> {
    const lookup = await resolveHost(host, resolve).catch(() => undefined)
    if (lookup) lastAddresses.set(host, lookup)
    const addresses = (lastAddresses.get(host) ?? []).map(({ address }) => ipaddr.process(address))
    return isShared ? addresses.filter(address => !isPublic(address)) : addresses
  }

  return async (text, port) => {
    const address = ipaddr.process(text)
    const candidates = components.filter(component => component.port === port)
    const addressLists = await Promise.all(candidates.map(findAddresses))
    return addressLists.flat().some(ownAddress => isSameHost(ownAddress, address))
  }
}
