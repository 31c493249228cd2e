import { GanglionError } from '../errors.ts'

/** One of the ways to authenticate. Without any, a page of the same origin sends the cookie of its session. */
export type Credentials =
  | { apiKey: string; publishableKey?: undefined; shareToken?: undefined }
  /** For browsers: the token of the signed-in user is asked for at each request. */
  | { publishableKey: string; getToken: () => string | Promise<string>; apiKey?: undefined; shareToken?: undefined }
  /** For the public routes. */
  | { shareToken: string; apiKey?: undefined; publishableKey?: undefined }
  | { apiKey?: undefined; publishableKey?: undefined; shareToken?: undefined }

/** Node has `process.versions`, also where a test gives it a `window`. */
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

/** Returns a setting of the environment where there is one, as in Node. */
export const readSetting = (name: string): string | undefined => environment.process?.env?.[name] || undefined

/** Throws for an API key in a browser, where everyone who opens the page can read it. */
export function requireSafe({ apiKey }: Credentials): void {
  if (apiKey !== undefined && isBrowser())
    throw new GanglionError(
      'An API key in a browser is readable by everyone. Use publishableKey with getToken, or a share token.',
    )
}

/** Builds the headers of one request. */
export async function buildAuthHeaders(credentials: Credentials): Promise<Record<string, string>> {
  if (credentials.apiKey !== undefined) return { authorization: `Bearer ${credentials.apiKey}` }
  if (credentials.publishableKey === undefined) return {}
  return { authorization: `Bearer ${await credentials.getToken()}`, 'x-publishable-key': credentials.publishableKey }
}
