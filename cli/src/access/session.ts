import type { Ganglion, Schema } from '@ganglion/client'
import type { Context } from '../shared/command.ts'
import { CliError, EXIT, usageError } from '../shared/exit.ts'
import { normalize } from '../shared/settings.ts'

const COOKIE = 'ganglion_session'
const LINK_PAGE = '/console/sign-in#'
const LINK_PATH = '/v1/session/link'
const LINK_TIMEOUT_MS = 30_000

interface SessionResult {
  url: string
  session: string
}

/** Returns the session cookie's name. Over HTTPS, the name has the prefix that binds a cookie to its host. */
const getCookieName = (url: string): string => (url.startsWith('https:') ? `__Host-${COOKIE}` : COOKIE)

/** Opens a session with a one-time sign-in link, or reuses a session token and its service address. */
export async function openSession(link: string, url: string | undefined): Promise<SessionResult> {
  if (!URL.canParse(link)) {
    if (!url) throw usageError('Service address missing. Use --url https://...')
    return { url: normalize(url), session: link }
  }
  const [base = '', token] = link.split(LINK_PAGE)
  if (!token) throw usageError('Not a valid sign-in link')
  const response = await fetch(`${base}${LINK_PATH}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
    signal: AbortSignal.timeout(LINK_TIMEOUT_MS),
  }).catch((cause: unknown) => {
    throw new CliError(EXIT.away, `Could not reach the service at ${base}: ${String(cause)}`)
  })
  const cookies = response.headers.getSetCookie().map(cookie => cookie.split(';')[0] ?? '')
  const prefix = `${getCookieName(base)}=`
  const session = cookies.find(cookie => cookie.startsWith(prefix))?.slice(prefix.length)
  if (!session)
    throw new CliError(
      EXIT.denied,
      `${base} rejected this sign-in link. Links work only once and expire. Request a new one`,
    )
  return { url: normalize(base), session }
}

/** Creates a client that sends the session instead of an API key. Throws if the session has ended. */
export async function createSessionClient(
  Client: typeof Ganglion,
  { url, session }: SessionResult,
): Promise<{ client: Ganglion; signedIn: Schema<'SessionContext'> }> {
  let csrf: string | undefined
  const send: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers)
    headers.delete('authorization')
    headers.set('cookie', `${getCookieName(url)}=${session}`)
    if (csrf !== undefined) headers.set('x-csrf-token', csrf)
    return fetch(input, { ...init, headers })
  }
  // The placeholder key is never sent. Without a key, the client would use the one from the environment.
  const client = new Client({ baseUrl: url, apiKey: 'none', fetch: send })
  const signedIn = await client.session.context()
  csrf = signedIn.csrf_token
  return { client, signedIn }
}

/** Opens a client for the signed-in user. Throws if nobody is signed in. */
export async function openPersonClient(context: Context): Promise<Ganglion> {
  const { url, session } = context.settings
  if (!session)
    throw new CliError(
      EXIT.denied,
      `Only signed-in users can manage API keys. Run "ganglion login --session" with a sign-in link from ${url}`,
    )
  const { Ganglion } = await import('@ganglion/client')
  return (await createSessionClient(Ganglion, { url, session })).client
}

/** Opens a client for the signed-in user, or else for the API key. */
export const openOwnClient = (context: Context): Promise<Ganglion> =>
  context.settings.session ? openPersonClient(context) : context.client()
