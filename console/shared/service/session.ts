import { Ganglion, type Schema } from '@ganglion/client'
import { APIError } from '@ganglion/client/errors'
import { queryOptions, replaceEqualDeep } from '@tanstack/react-query'

/** The signed-in person with their permissions and workspace, and the service's version and limits. */
export type Boot = Schema<'SessionBoot'>
export type Session = Boot['session']

/** The client before sign-in. On the same origin, the browser sends the session cookie automatically. */
export const anonymous = new Ganglion()

/** The sign-in link that opened the page. Its token is in the fragment, which browsers don't send to servers. */
const link = { token: takeLinkToken(), replace: false }

/** Uses the link and replaces the other person's session, or keeps that session. */
export function decideLink(replace: boolean): void {
  if (replace) link.replace = true
  else link.token = undefined
}

function takeLinkToken(): string | undefined {
  const { pathname, hash } = location
  if (!pathname.endsWith('/console/sign-in')) return undefined
  history.replaceState(null, '', '/console/')
  return hash.length > 1 ? hash.slice(1) : undefined
}

/** Keeps the link if the service asks whether to replace the session of another person. */
async function openLink(token: string): Promise<void> {
  try {
    await anonymous.session.link({ token, replace: link.replace })
    link.token = undefined
  } catch (error) {
    if (!APIError.is(error, 'CONFLICT')) link.token = undefined
    throw error
  }
}

async function readBoot(): Promise<Boot> {
  if (link.token !== undefined) await openLink(link.token)
  return anonymous.session.boot()
}

export const bootQuery = queryOptions({
  queryKey: ['boot'],
  queryFn: readBoot,
  staleTime: 300_000,
  structuralSharing: (before, now) => keepPosition(before as Boot | undefined, now as Boot),
})

/** Keeps the first event position, so that a reload of the session doesn't count as a change. */
const keepPosition = (before: Boot | undefined, now: Boot): Boot =>
  before ? replaceEqualDeep<Boot>(before, { ...now, events_position: before.events_position }) : now

/** The sign-in options. */
export const signInOptionsQuery = queryOptions({
  queryKey: ['sign-in-options'],
  queryFn: () => anonymous.session.options(),
  staleTime: Infinity,
})

/** Returns the URL that starts a sign-in with the identity provider and returns to this page. */
export function buildSignInAddress(workspace: string): string {
  const return_to = `${location.pathname}${location.search}`
  return `/v1/session/sign-in?${new URLSearchParams({ workspace, return_to }).toString()}`
}
