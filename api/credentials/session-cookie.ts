import type { AppContext } from '../routing/state.ts'

export const SESSION_COOKIE = 'ganglion_session'
/** What a browser keeps while its user is at the identity provider. */
const SIGN_IN_COOKIE = 'ganglion_sign_in'
const SIGN_IN_MS = 600_000

export const readSessionCookie = (ctx: AppContext): string | undefined => ctx.cookies.get(SESSION_COOKIE)

/** Sets the cookie of a session, which scripts cannot read and other sites cannot send with requests that change. */
export function setSessionCookie(ctx: AppContext, token: string, expires: string, isSecure: boolean): void {
  ctx.cookies.set(SESSION_COOKIE, token, { ...restrict('/v1', isSecure), expires: new Date(expires) })
}

export function clearSessionCookie(ctx: AppContext, isSecure: boolean): void {
  ctx.cookies.set(SESSION_COOKIE, null, restrict('/v1', isSecure))
}

export const readSignInCookie = (ctx: AppContext): string | undefined => ctx.cookies.get(SIGN_IN_COOKIE)

/** Null removes the cookie. */
export function setSignInCookie(ctx: AppContext, pending: string | null, isSecure: boolean): void {
  ctx.cookies.set(SIGN_IN_COOKIE, pending, { ...restrict('/v1/session', isSecure), maxAge: SIGN_IN_MS })
}

const restrict = (path: string, secure: boolean) => ({
  httpOnly: true,
  sameSite: 'lax' as const,
  path,
  secure,
  overwrite: true,
})
