import type { IncomingMessage } from 'node:http'
import proxyAddress from 'proxy-addr'
import type { Config } from '../../config/config.ts'

/**
 * Returns a function that checks whether the client uses HTTPS, based on the service address or on
 * `X-Forwarded-Proto` from a trusted proxy.
 */
export function createIsSecure({
  BASE_URL,
  TRUSTED_PROXIES,
}: Pick<Config, 'BASE_URL' | 'TRUSTED_PROXIES'>): (req: IncomingMessage) => boolean {
  if (BASE_URL?.startsWith('https:')) return () => true
  const isTrusted = proxyAddress.compile(TRUSTED_PROXIES)
  return ({ socket, headers }) =>
    isTrusted(socket.remoteAddress ?? '', 0) && /^https(?:,|$)/.test(String(headers['x-forwarded-proto'] ?? ''))
}
