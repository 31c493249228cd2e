import type { SessionsService } from '../../services/access/credentials/sessions.ts'
import { type AppUnderTest, CONFIG, startApp } from './app-under-test.ts'
import { KEY } from './services.ts'

/** Cookies and HSTS, over HTTP and over HTTPS that a proxy terminates. */

const sessions = {
  openByLink: () => Promise.resolve({ token: KEY, expires_at: '2099-01-01T00:00:00.000Z' }),
  describe: () =>
    Promise.resolve({
      actor: 'user:ann',
      role: 'viewer',
      groups: [],
      permissions: [],
      workspace: { id: '0192f0c4-0000-7000-8000-000000000001', slug: 'acme' },
      brains: [],
      default_brain_id: null,
      csrf_token: '',
      expires_at: null,
    }),
} as unknown as SessionsService

const PROXIED = { 'X-Forwarded-Proto': 'https' }

const cases: [what: string, settings: object, headers: Record<string, string>, isSecure: boolean][] = [
  ['a plain request', {}, {}, false],
  ['an https service address', { BASE_URL: 'https://ganglion.example' }, {}, true],
  ['https at a trusted proxy', { TRUSTED_PROXIES: ['127.0.0.0/8'] }, PROXIED, true],
  [
    'https in front of a proxy chain',
    { TRUSTED_PROXIES: ['127.0.0.0/8'] },
    { 'X-Forwarded-Proto': 'https, http' },
    true,
  ],
  ['http at a trusted proxy', { TRUSTED_PROXIES: ['127.0.0.0/8'] }, { 'X-Forwarded-Proto': 'http' }, false],
  ['a caller that claims to use https', { TRUSTED_PROXIES: ['10.0.0.0/8'] }, PROXIED, false],
]

describe.each(cases)('%s', (_what, settings, headers, isSecure) => {
  let app: AppUnderTest
  beforeAll(async () => {
    app = await startApp({ sessions, config: { ...CONFIG, ...settings } })
  })
  afterAll(() => app.drain(0))

  test(isSecure ? 'gets a host-bound cookie and HSTS' : 'gets a plain cookie and no HSTS', async () => {
    const response = await fetch(`${app.url}/v1/session/link`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ token: 'x' }),
    })
    expect(response.status).toBe(204)
    const [cookie = ''] = response.headers.getSetCookie()
    expect(cookie).toMatch(isSecure ? /^__Host-ganglion_session=/ : /^ganglion_session=/)
    expect(cookie).toMatch(/; path=\/; /)
    expect(cookie).not.toMatch(/; domain=/i)
    expect(/; secure/i.test(cookie)).toBe(isSecure)
    const hsts = response.headers.get('strict-transport-security')
    expect(hsts).toBe(isSecure ? 'max-age=31536000' : null)
  })

  test('accepts only its own cookie name', async () => {
    const read = async (name: string) =>
      (await fetch(`${app.url}/v1/session/context`, { headers: { ...headers, Cookie: `${name}=${KEY}` } })).status
    expect(await read('__Host-ganglion_session')).toBe(isSecure ? 200 : 401)
    expect(await read('ganglion_session')).toBe(isSecure ? 401 : 200)
  })
})
