import { ValidationError } from '../../domain/shared/errors.ts'
import { orAborted } from '../../domain/shared/or-aborted.ts'
import { StepError } from '../../domain/runs/step-error.ts'
import type { AddressRule } from '../tools/outbound/address-rule.ts'
import { resolveHost, type Resolve } from '../tools/outbound/resolve.ts'
import { parseTarget, portOf } from '../tools/outbound/target.ts'

/** Throws ValidationError for a URL that deliveries cannot currently call. Each delivery repeats this check. */
export type CheckUrl = (url: string) => Promise<void>

const MAX_RESOLVE_MS = 3_000

export function createUrlCheck({ permits, resolve }: { permits: AddressRule; resolve: Resolve }): CheckUrl {
  return async text => {
    const url = parse(text)
    const host = url.hostname.replace(/^\[|\]$/g, '')
    const resolving = orAborted(resolveHost(host, resolve), AbortSignal.timeout(MAX_RESOLVE_MS))
    const addresses = await resolving.catch(() => throwUrlError(`${host} cannot be resolved`))
    const permitted = await Promise.all(addresses.map(({ address }) => permits(address, portOf(url))))
    if (!permitted.includes(true)) throwUrlError(`${url.host} is not allowed: it is not a public address`)
  }
}

function parse(text: string): URL {
  try {
    return parseTarget(text)
  } catch (error) {
    return throwUrlError(error instanceof StepError ? error.message : 'must be a URL')
  }
}

function throwUrlError(message: string): never {
  throw new ValidationError(`The webhook URL is not valid: ${message}`, [{ pointer: '/url', message }])
}
