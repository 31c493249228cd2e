import { GanglionError } from '../errors.ts'

/** Credentials in one of several forms. Without credentials, a page from the same origin uses its session cookie. */
export type Credentials =
  | { apiKey: string; publishableKey?: undefined; shareToken?: undefined }
  /** For browsers. The client requests the user's token for each call. */
  | { publishableKey: string; getToken: () => string | Promise<string>; apiKey?: undefined; shareToken?: undefined }
  /** For the public routes. */
  | { shareToken: string; apiKey?: undefined; publishableKey?: undefined }
  | { apiKey?: undefined; publishableKey?: undefined; shareToken?: undefined }

/** The global objects of the runtime. Node defines `process.versions`, even if a test defines `window`. */
interface Environment {
  window?: { document?: unknown }
  importScripts?: unknown
  process?: { versions?: { node?: string }; env?: Record<string, string | undefined> }
}

const environment = globalThis as unknown as Environment

const isBrowser = (): boolean => {
  const { window, importScripts, process } = environment
  return !process?.versions?.node && (window?.document !== undefined || typeof importScripts === 'function')
}

/** Returns an environment variable in a runtime that supports them, such as Node. */
export const readSetting = (name: string): string | undefined => environment.process?.env?.[name] || undefined

/** Throws for an API key in a browser, because everyone who opens the page could read the key. */
export function requireSafe({ apiKey }: Credentials): void {
  if (apiKey !== undefined && isBrowser())
    throw new GanglionError(
      'Everyone can read an API key in a browser. Use publishableKey with getToken, or a share token instead.',
    )
}

/** Builds the authentication headers for one request. */
export async function buildAuthHeaders(credentials: Credentials): Promise<Record<string, string>> {
  if (credentials.apiKey !== undefined) return { authorization: `Bearer ${credentials.apiKey}` }
  if (credentials.publishableKey === undefined) return {}
  return { authorization: `Bearer ${await credentials.getToken()}`, 'x-publishable-key': credentials.publishableKey }
}
