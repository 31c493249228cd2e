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

/** Over HTTPS the name has the prefix that binds a cookie to its host. */
const getCookieName = (url: string): string => (url.startsWith('https:') ? `__Host-${COOKIE}` : COOKIE)

/** Opens the session of a sign-in link, which works once; the token of a session is taken as it is, with its address. */
export async function openSession(link: string, url: string | undefined): Promise<SessionResult> {
  if (!URL.canParse(link)) {
    if (!url) throw usageError('The address of the service is missing: --url https://...')
    return { url: normalize(url), session: link }
  }
  const [base = '', token] = link.split(LINK_PAGE)
  if (!token) throw usageError('This is no sign-in link')
  const response = await fetch(`${base}${LINK_PATH}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
    signal: AbortSignal.timeout(LINK_TIMEOUT_MS),
  }).catch((cause: unknown) => {
    throw new CliError(EXIT.away, `The service at ${base} could not be reached: ${String(cause)}`)
  })
  const cookies = response.headers.getSetCookie().map(cookie => cookie.split(';')[0] ?? '')
  const prefix = `${getCookieName(base)}=`
  const session = cookies.find(cookie => cookie.startsWith(prefix))?.slice(prefix.length)
  if (!session) throw new CliError(EXIT.denied, `${base} does not take this link: it works once, and for a while`)
  return { url: normalize(base), session }
}

/** A client that sends the session instead of a key. Throws where it has ended. */
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
  // The key is never sent: without one the client would look for that of the environment.
  const client = new Client({ baseUrl: url, apiKey: 'none', fetch: send })
  const signedIn = await client.session.context()
  csrf = signedIn.csrf_token
  return { client, signedIn }
}

/** The client of the person who is signed in. Throws where no person is. */
export async function openPersonClient(context: Context): Promise<Ganglion> {
  const { url, session } = context.settings
  if (!session)
    throw new CliError(
      EXIT.denied,
      `API keys are managed by a person who is signed in: "ganglion login --session" takes a sign-in link of ${url}`,
    )
  const { Ganglion } = await import('@ganglion/client')
  return (await createSessionClient(Ganglion, { url, session })).client
}

/** The client of the person who is signed in, or that of the API key. */
export const openOwnClient = (context: Context): Promise<Ganglion> =>
  context.settings.session ? openPersonClient(context) : context.client()
