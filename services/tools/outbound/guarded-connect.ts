import type { LookupAddress } from 'node:dns'
import { buildConnector } from 'undici'
import { orAborted } from '../../../domain/shared/or-aborted.ts'
import type { AddressRule } from './address-rule.ts'
import { blockedAddressError } from './errors.ts'
import { type Resolve, resolveHost } from './resolve.ts'
import { portOf } from './target.ts'

interface Settings {
  permits: AddressRule
  resolve: Resolve
  /** Time limit for the lookup, and separately for the connection. */
  timeoutMs: number
}

/** Returns the permitted addresses of a host. Throws StepError BLOCKED_ADDRESS if there is none. */
export type FindPermitted = (hostname: string, port: number) => Promise<[LookupAddress, ...LookupAddress[]]>

export function createFindPermitted({ permits, resolve, timeoutMs }: Settings): FindPermitted {
  async function find(hostname: string, port: number): ReturnType<FindPermitted> {
    const addresses = await resolveHost(hostname, resolve)
    const outcomes = await Promise.all(addresses.map(({ address }) => permits(address, port)))
    const [first, ...rest] = addresses.filter((_, index) => outcomes[index])
    if (!first) throw blockedAddressError(`${hostname}:${port}`)
    return [first, ...rest]
  }
  return (hostname, port) => orAborted(find(hostname, port), AbortSignal.timeout(timeoutMs))
}

/**
 * Opens connections only to permitted addresses. A name is resolved only once, so that a second DNS answer cannot
 * replace the checked address.
 */
export function createGuardedConnector(findPermitted: FindPermitted, timeoutMs: number): buildConnector.connector {
  async function connect(options: buildConnector.Options, callback: buildConnector.Callback): Promise<void> {
    const addresses = await findPermitted(options.hostname, portOf(options))
    const [first] = addresses
    const open = buildConnector({
      allowH2: false,
      timeout: timeoutMs,
      lookup: (_hostname, { all }, respond) =>
        all ? respond(null, addresses) : respond(null, first.address, first.family),
    })
    open(options, callback)
  }

  return (options, callback) => {
    connect(options, callback).catch((error: Error) => callback(error, null))
  }
}
