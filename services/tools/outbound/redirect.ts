import { withoutBodyHeaders, withoutCredentials } from './headers.ts'

/** A request in a redirect chain: the original request, or a request after a redirect. */
export interface Hop {
  method: string
  url: URL
  headers: Record<string, string>
  body?: string | Uint8Array
  allowed_hosts?: readonly string[]
}

const REDIRECTS = new Set([301, 302, 303, 307, 308])

export const isRedirect = (status: number, location: string | undefined): location is string =>
  REDIRECTS.has(status) && location !== undefined

/**
 * Returns the request to send after a redirect, as a browser would. 303 changes all methods except HEAD to GET. 301
 * and 302 change POST to GET. 307 and 308 repeat the request. A different origin receives no headers that could
 * be credentials.
 */
export function nextHop(hop: Hop, status: number, url: URL): Hop {
  const toGet =
    (status === 303 && hop.method !== 'HEAD') || ((status === 301 || status === 302) && hop.method === 'POST')
  const headers = url.origin === hop.url.origin ? hop.headers : withoutCredentials(hop.headers)
  if (toGet) return { ...hop, method: 'GET', url, headers: withoutBodyHeaders(headers), body: undefined }
  return { ...hop, url, headers }
}
