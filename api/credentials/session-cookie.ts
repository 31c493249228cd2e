import type { AppContext } from '../routing/state.ts'

export const SESSION_COOKIE = 'ganglion_session'
/** Cookie that the browser stores while the user is at the identity provider. */
const SIGN_IN_COOKIE = 'ganglion_sign_in'
const SIGN_IN_MS = 600_000

export const readSessionCookie = (ctx: AppContext): string | undefined => read(ctx, SESSION_COOKIE)

/** Sets the session cookie. Scripts cannot read it, and other sites cannot send it with requests that change data. */
export const setSessionCookie = (ctx: AppContext, token: string, expires: string): void =>
  set(ctx, SESSION_COOKIE, token, { expires: new Date(expires) })

export const clearSessionCookie = (ctx: AppContext): void => set(ctx, SESSION_COOKIE, null, {})

export const readSignInCookie = (ctx: AppContext): string | undefined => read(ctx, SIGN_IN_COOKIE)

/** Null removes the cookie. */
export const setSignInCookie = (ctx: AppContext, pending: string | null): void =>
  set(ctx, SIGN_IN_COOKIE, pending, { maxAge: SIGN_IN_MS })

/**
 * Returns the cookie name for this connection. Over HTTPS, the name has a prefix that makes browsers reject a cookie
 * set by another host or an HTTP page.
 */
const getCookieName = ({ state }: AppContext, name: string): string => (state.isSecure ? `__Host-${name}` : name)

const read = (ctx: AppContext, name: string): string | undefined => ctx.cookies.get(getCookieName(ctx, name))

function set(ctx: AppContext, name: string, value: string | null, end: { expires?: Date; maxAge?: number }): void {
  const { isSecure } = ctx.state
  // The proxy connection is not encrypted, but the client's connection is.
  ctx.cookies.secure = isSecure
  const restricted = { httpOnly: true, sameSite: 'lax', path: '/', secure: isSecure, overwrite: true } as const
  ctx.cookies.set(getCookieName(ctx, name), value, { ...restricted, ...end })
}
