import { StepError } from '../../../domain/runs/step-error.ts'

/**
 * Parses the URL of a request. The URL parser normalizes every spelling of an IPv4 address (octal, hex, short, one number,
 * full-width digits), so the address that is checked when connecting is the one connected to. Throws StepError BAD_URL.
 */
export function parseTarget(url: string, base?: URL): URL {
  const target = URL.parse(url, base?.href)
  if (!target) throw badUrlError('The URL must be absolute, such as https://example.com/path')
  if (target.protocol !== 'http:' && target.protocol !== 'https:') {
    throw badUrlError(`The scheme of the URL must be http or https, not ${target.protocol.slice(0, -1)}`)
  }
  if (target.username || target.password) {
    throw badUrlError('The URL must not have credentials; send them in an Authorization header')
  }
  return target
}

export const portOf = ({ port, protocol }: Pick<URL, 'port' | 'protocol'>): number =>
  Number(port) || (protocol === 'https:' ? 443 : 80)

const badUrlError = (why: string): StepError => new StepError('BAD_URL', why)
