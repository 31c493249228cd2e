import type { RequestListener } from 'node:http'
import { type Configuration, Provider } from 'oidc-provider'
import { startHttpServer, type TestServer } from '../stack/http-server.ts'

export const CLIENT = { client_id: 'ganglion', client_secret: 'the secret of the client' }

/** A real OpenID Connect provider that accepts every name. */
export interface IdentityProvider {
  /** The settings that connect the service to the provider. */
  env: Record<string, string>
  /** Registers the service with the provider once its URL is known. */
  register(baseUrl: string, more?: Configuration): void
  /** Signs in as a browser does, starting at the authorization URL. Returns the callback URL. */
  signIn(url: string, login: string): Promise<string>
  close(): Promise<void>
}

export async function startIdentityProvider(): Promise<IdentityProvider> {
  let serve: RequestListener = (_request, response) => void response.writeHead(503).end()
  const server: TestServer = await startHttpServer((request, response) => serve(request, response))
  return {
    env: {
      OIDC_ISSUER: server.url,
      OIDC_CLIENT_ID: CLIENT.client_id,
      OIDC_CLIENT_SECRET: CLIENT.client_secret,
      OIDC_SCOPE: 'openid',
    },
    register(baseUrl, more) {
      const provider = new Provider(server.url, {
        clients: [{ ...CLIENT, redirect_uris: [`${baseUrl}/v1/session/callback`] }],
        pkce: { required: () => true },
        cookies: { keys: ['a key of the tests'] },
        ...more,
      })
      const callback = provider.callback()
      serve = (request, response) => void callback(request, response)
    },
    signIn: (url, login) => walkSignIn(server.url, url, login),
    close: () => server.close(),
  }
}

/** Follows redirects and submits the provider's login and consent forms. */
async function walkSignIn(issuer: string, start: string, login: string): Promise<string> {
  const cookies = new Map<string, string>()
  let url = start
  for (let steps = 0; steps < 12 && url.startsWith(issuer); steps++) {
    const form = url.includes('/interaction/') ? await readForm(url, cookies, login) : undefined
    const response = await request(url, cookies, form)
    const location = response.headers.get('location')
    if (location === null) throw new Error(`${response.status} ${await response.text()}`)
    url = new URL(location, url).href
  }
  return url
}

async function readForm(url: string, cookies: Map<string, string>, login: string): Promise<URLSearchParams> {
  const page = await (await request(url, cookies)).text()
  const [, prompt = ''] = /name="prompt" value="(\w+)"/.exec(page) ?? []
  return new URLSearchParams(prompt === 'login' ? { prompt, login, password: 'any' } : { prompt })
}

async function request(url: string, cookies: Map<string, string>, body?: URLSearchParams): Promise<Response> {
  const Cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const method = body ? 'POST' : 'GET'
  const response = await fetch(url, { method, body, headers: { Cookie }, redirect: 'manual' })
  for (const cookie of response.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
    cookies.set(name, value)
  }
  return response
}
