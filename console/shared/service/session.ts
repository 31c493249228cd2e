import { Ganglion, type Schema } from '@ganglion/client'
import { APIError } from '@ganglion/client/errors'
import { queryOptions, replaceEqualDeep } from '@tanstack/react-query'

/** Who is signed in, with which rights, in which workspace; and the version and the limits of the service. */
export type Boot = Schema<'SessionBoot'>
export type Session = Boot['session']

/** The client before the sign-in. A page of the same origin sends the cookie of its session by itself. */
export const anonymous = new Ganglion()

/** The sign-in link with which the page was opened. Its token is in the fragment, which browsers send to no server. */
const link = { token: takeLinkToken(), replace: false }

/** Uses the link although another person is signed in, or keeps that session. */
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

/** The link stays where the service asks whether it replaces the session of another person. */
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

/** A later position is no change: the page follows the events from the first one on. */
const keepPosition = (before: Boot | undefined, now: Boot): Boot =>
  before ? replaceEqualDeep<Boot>(before, { ...now, events_position: before.events_position }) : now

/** What the sign-in page offers. */
export const signInOptionsQuery = queryOptions({
  queryKey: ['sign-in-options'],
  queryFn: () => anonymous.session.options(),
  staleTime: Infinity,
})

/** The address that begins a sign-in with the identity provider and comes back to this page. */
export function buildSignInAddress(workspace: string): string {
  const return_to = `${location.pathname}${location.search}`
  return `/v1/session/sign-in?${new URLSearchParams({ workspace, return_to }).toString()}`
}
