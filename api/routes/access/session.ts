import { errorBody } from '../../../contract/shared/error.ts'
import * as schemas from '../../../contract/access/session.ts'
import type { Settings } from '../../../contract/shared/settings.ts'
import type { SessionsService } from '../../../services/access/credentials/sessions.ts'
import type { SignIn } from '../../../services/access/credentials/sign-in.ts'
import type { UsageService } from '../../../services/access/usage/usage.ts'
import {
  clearSessionCookie,
  readSessionCookie,
  readSignInCookie,
  setSessionCookie,
  setSignInCookie,
} from '../../credentials/session-cookie.ts'
import { allowAll, allowSessions } from '../../routing/access.ts'
import { noContent, ok, redirect } from '../../routing/reply.ts'
import type { WorkspaceStreams } from '../../sse/workspace-streams.ts'
import { defineRoute } from '../../routing/route.ts'
import type { Route } from '../../routing/route.ts'

interface Services {
  sessions: SessionsService
  signIn: SignIn
  usage: Pick<UsageService, 'estimate'>
}

interface Deps {
  workspaceStreams: Pick<WorkspaceStreams, 'readPosition'>
  settings: Settings
  version: string
}

const tag = 'Sessions'
const redirected = { description: 'Redirect to `Location`' }

/** Routes for a signed-in user's session. */
export function sessionRoutes(
  { sessions, signIn, usage }: Services,
  { workspaceStreams, settings, version }: Deps,
): Route[] {
  const begin = defineRoute({
    name: 'session.signIn',
    method: 'get',
    path: '/v1/session/sign-in',
    summary: 'Sign in with the identity provider',
    tag,
    access: allowAll,
    isPublished: false,
    query: schemas.signInQuery,
    responses: { 302: redirected },
    async handler({ query, ctx }) {
      const { url, pending } = await signIn.begin(query.workspace, query.return_to)
      setSignInCookie(ctx, pending)
      return redirect(url)
    },
  })

  const complete = defineRoute({
    name: 'session.callback',
    method: 'get',
    path: '/v1/session/callback',
    summary: 'Complete a sign-in',
    tag,
    access: allowAll,
    isPublished: false,
    query: schemas.callbackQuery,
    responses: { 302: redirected },
    async handler({ ctx }) {
      const { token, expires_at, return_to } = await signIn.complete(ctx.querystring, readSignInCookie(ctx))
      setSignInCookie(ctx, null)
      setSessionCookie(ctx, token, expires_at)
      return redirect(return_to)
    },
  })

  const link = defineRoute({
    name: 'session.link',
    method: 'post',
    path: '/v1/session/link',
    summary: 'Sign in with a one-time link',
    tag,
    access: allowAll,
    isInternal: true,
    body: schemas.linkBody,
    responses: {
      204: { description: 'Signed in. The response sets the session cookie.' },
      401: { description: 'The link is unknown, already used or expired', schema: errorBody },
      409: {
        description: 'The browser has a session of another person or workspace. The link is still valid.',
        schema: errorBody,
      },
    },
    async handler({ body, ctx }) {
      const present = readSessionCookie(ctx)
      const { token, expires_at } = await sessions.openByLink(
        body.token,
        present === undefined ? undefined : { token: present, replace: body.replace },
      )
      setSessionCookie(ctx, token, expires_at)
      return noContent()
    },
  })

  const options = defineRoute({
    name: 'session.options',
    method: 'get',
    path: '/v1/session/options',
    summary: 'List sign-in methods',
    tag,
    access: allowAll,
    isInternal: true,
    responses: { 200: { description: 'The sign-in methods', schema: schemas.signInOptions } },
    handler: () => Promise.resolve(ok({ oidc: signIn.isConfigured })),
  })

  const context = defineRoute({
    name: 'session.context',
    method: 'get',
    path: '/v1/session/context',
    summary: 'Read the current session',
    tag,
    access: allowSessions(null),
    responses: { 200: { description: 'The session', schema: schemas.sessionContext } },
    handler: async ({ caller }) => ok(await sessions.describe(caller)),
  })

  const boot = defineRoute({
    name: 'session.boot',
    method: 'get',
    path: '/v1/session/boot',
    summary: 'Read the console start data',
    tag,
    access: allowSessions(null),
    responses: { 200: { description: 'Session, settings and event stream position', schema: schemas.sessionBoot } },
    async handler({ caller, principal }) {
      const [session, estimates, events_position] = await Promise.all([
        sessions.describe(caller),
        usage.estimate(principal),
        workspaceStreams.readPosition(principal.workspace_id),
      ])
      return ok({ version, session, settings: { ...settings, estimates }, events_position })
    },
  })

  const end = defineRoute({
    name: 'session.end',
    method: 'delete',
    effect: 'stop',
    path: '/v1/session',
    summary: 'Sign out',
    tag,
    access: allowSessions(null),
    query: schemas.endQuery,
    responses: { 204: { description: 'Signed out' } },
    async handler({ caller, query, ctx }) {
      await sessions.end(caller, query.everywhere)
      clearSessionCookie(ctx)
      return noContent()
    },
  })

  return [begin, complete, link, options, context, boot, end]
}
