import { withoutBodyHeaders, withoutCredentials } from './headers.ts'

/** One request on its way: the original, or what a redirect made of it. */
export interface Hop {
  method: string
  url: URL
  headers: Record<string, string>
  body?: string | Uint8Array
}

const REDIRECTS = new Set([301, 302, 303, 307, 308])

export const isRedirect = (status: number, location: string | undefined): location is string =>
  REDIRECTS.has(status) && location !== undefined

/**
 * The request that a redirect asks for. As browsers do: 303 makes everything but HEAD a GET, 301 and 302 do so for
 * POST, 307 and 308 repeat the request. Another origin gets no header that could be a credential.
 */
export function nextHop(hop: Hop, status: number, url: URL): Hop {
  const toGet =
    (status === 303 && hop.method !== 'HEAD') || ((status === 301 || status === 302) && hop.method === 'POST')
  const headers = url.origin === hop.url.origin ? hop.headers : withoutCredentials(hop.headers)
  if (toGet) return { method: 'GET', url, headers: withoutBodyHeaders(headers) }
  return { ...hop, url, headers }
}
