import ipaddr from 'ipaddr.js'
import type { Config } from './config.ts'

/** A setting that is suitable for development, but not for production. */
export interface UnsafeDefault {
  setting: keyof Config
  /** Describes the consequence, and what to set. */
  message: string
}

/** Returns the settings whose values weaken the protection of a production installation. */
export function findUnsafeDefaults(config: Config): UnsafeDefault[] {
  const { BASE_URL, TRUSTED_PROXIES } = config
  const isPublic = BASE_URL !== undefined && !isLoopback(new URL(BASE_URL).hostname)
  const isHttps = BASE_URL?.startsWith('https:') === true
  const checks: [isUnsafe: boolean, setting: keyof Config, message: string][] = [
    [
      config.SECRETS_ENCRYPTION_KEYS === undefined,
      'SECRETS_ENCRYPTION_KEYS',
      'is not set: workspaces cannot store secrets, and such requests return 503',
    ],
    [config.EVIDENCE_KEYS === undefined, 'EVIDENCE_KEYS', 'is not set: votes are recorded without a signature'],
    [
      config.TEMPORAL_ENCRYPTION_KEYS === undefined,
      'TEMPORAL_ENCRYPTION_KEYS',
      'is not set: everyone with access to Temporal can read inputs and results',
    ],
    [isPublic && !isHttps, 'BASE_URL', 'uses http on a public host: session cookies and API keys are sent without TLS'],
    [
      isHttps && TRUSTED_PROXIES.length === 0,
      'TRUSTED_PROXIES',
      "is empty although BASE_URL uses https: all clients share the TLS proxy's address in request limits",
    ],
  ]
  return checks.flatMap(([isUnsafe, setting, consequence]) =>
    isUnsafe ? [{ setting, message: `${setting} ${consequence}` }] : [],
  )
}

/** @param hostname the host of a URL. IPv6 addresses have brackets */
function isLoopback(hostname: string): boolean {
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return true
  const address = hostname.replace(/^\[|\]$/g, '')
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback'
}
