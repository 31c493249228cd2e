/** A browser that keeps cookies, and sends the CSRF token of its session with requests that make changes. */
export interface Browser {
  /** Sends a request without following redirects. */
  send(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<BrowserReply>
  /** Opens a URL. Returns the redirect target. */
  open(address: string): Promise<{ status: number; location: string | null; cookies: string[] }>
  /** Signs in with a link token. */
  openLink(token: string): Promise<{ status: number; cookies: string[] }>
  cookie(name: string): string | undefined
}

export interface BrowserReply {
  status: number
  headers: Headers
  body: Fields
}

/** The response fields that tests read. */
interface Fields {
  id: string
  api_key: string
  publishable_key: string
  share_token: string
  message: string
}

export function createBrowser(baseUrl: string): Browser {
  const cookies = new Map<string, string>()
  let csrf: string | undefined

  async function request(
    url: string,
    init: { method?: string; body?: string; headers?: Record<string, string> } = {},
  ): Promise<Response> {
    const Cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { ...init, redirect: 'manual', headers: { ...init.headers, Cookie } })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    return response
  }

  async function readCsrfToken(): Promise<string> {
    const response = await request(`${baseUrl}/v1/session/context`)
    const { csrf_token = '' } = (await response.json()) as { csrf_token?: string }
    return csrf_token
  }

  return {
    async send(method, path, body, headers = {}) {
      if (method !== 'GET') csrf ??= await readCsrfToken()
      const response = await request(baseUrl + path, {
        method,
        body: body && JSON.stringify(body),
        headers: {
          ...(body && { 'Content-Type': 'application/json' }),
          ...(csrf !== undefined && { 'X-CSRF-Token': csrf }),
          ...headers,
        },
      })
      const text = await response.text()
      return { status: response.status, headers: response.headers, body: JSON.parse(text || '{}') as Fields }
    },
    async open(address) {
      const response = await request(new URL(address, baseUrl).href)
      await response.body?.cancel()
      csrf = undefined
      const location = response.headers.get('location')
      return { status: response.status, location, cookies: response.headers.getSetCookie() }
    },
    async openLink(token) {
      const headers = { 'Content-Type': 'application/json' }
      const response = await request(`${baseUrl}/v1/session/link`, {
        method: 'POST',
        body: JSON.stringify({ token }),
        headers,
      })
      csrf = undefined
      return { status: response.status, cookies: response.headers.getSetCookie() }
    },
    cookie: name => cookies.get(name),
  }
}
