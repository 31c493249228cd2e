import { GanglionError } from '../errors.ts'
import { type Credentials, readSetting, requireSafe } from './credentials.ts'
import type { TransportOptions } from './transport.ts'

export interface ClientSettings {
  /** Service address, with or without a trailing slash. Default: `GANGLION_URL`, or the origin of the page. */
  baseUrl?: string
  /** Brain (project) to work in. Default: `GANGLION_BRAIN`, or the credential's default brain. */
  brain?: string
  /** Time limit for a call including its retries, in milliseconds. Default: 60,000. */
  timeout?: number
  /** Maximum number of retries after a temporary failure. Default: 2. */
  maxRetries?: number
  /** Headers sent with each request. */
  headers?: Record<string, string>
  /** Replaces the runtime's `fetch`. */
  fetch?: typeof fetch
}

/** The client's settings and credentials. Default credentials: the API key in `GANGLION_API_KEY`, if set. */
export type ClientOptions = ClientSettings & Credentials

const TIMEOUT_MS = 60_000
const MAX_RETRIES = 2

/** Returns the options of the transport. Throws for an API key in a browser, and without an address. */
export function resolveOptions(options: ClientOptions): TransportOptions {
  const {
    baseUrl,
    brain,
    timeout = TIMEOUT_MS,
    maxRetries = MAX_RETRIES,
    headers = {},
    fetch = globalThis.fetch,
  } = options
  requireSafe(options)
  return {
    baseUrl: (baseUrl ?? readSetting('GANGLION_URL') ?? readOrigin()).replace(/\/+$/, ''),
    credentials: readCredentials(options),
    brain: brain ?? readSetting('GANGLION_BRAIN'),
    timeout,
    maxRetries,
    headers,
    // Call `fetch` without a receiver, as browsers require.
    fetch: (input, init) => fetch(input, init),
  }
}

function readCredentials(options: ClientOptions): Credentials {
  const { apiKey, publishableKey, shareToken } = options
  if (apiKey !== undefined || publishableKey !== undefined || shareToken !== undefined) return options
  const key = readSetting('GANGLION_API_KEY')
  return key === undefined ? {} : { apiKey: key }
}

function readOrigin(): string {
  const { location } = globalThis as { location?: { origin: string } }
  if (!location) throw new GanglionError('Set baseUrl or GANGLION_URL to the address of the service')
  return location.origin
}
