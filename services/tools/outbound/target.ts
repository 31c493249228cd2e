import { StepError } from '../../../domain/runs/step-error.ts'

/**
 * Parses a request URL. The URL parser normalizes every spelling of an IPv4 address (octal, hex, short, single
 * number, full-width digits). The address checked on connect is therefore the address used. Throws StepError BAD_URL.
 */
export function parseTarget(url: string, base?: URL): URL {
  const target = URL.parse(url, base?.href)
  if (!target) throw badUrlError('The URL must be absolute, such as https://example.com/path')
  if (target.protocol !== 'http:' && target.protocol !== 'https:') {
    throw badUrlError(`The URL scheme must be http or https, not ${target.protocol.slice(0, -1)}`)
  }
  if (target.username || target.password) {
    throw badUrlError('The URL must not contain credentials; send them in an Authorization header')
  }
  return target
}

export const portOf = ({ port, protocol }: Pick<URL, 'port' | 'protocol'>): number =>
  Number(port) || (protocol === 'https:' ? 443 : 80)

const badUrlError = (why: string): StepError => new StepError('BAD_URL', why)
