import { hkdfSync } from 'node:crypto'
import { EncryptJWT, jwtDecrypt, type JWTPayload } from 'jose'
import * as oidc from 'openid-client'
import type { Logger } from 'pino'
import type { Config } from '../../../config/config.ts'
import { findWorkspaceBySlug } from '../../../data/access/access-store.ts'
import type { Database } from '../../../data/shared/database.ts'
import { AuthRequired, NotFound, Unavailable } from '../../../domain/shared/errors.ts'
import { invalidRequestError } from '../../../domain/shared/invalid-request.ts'
import { type ClaimSettings, findClaim, readProvidedFields, type UserClaims } from '../provider/claims.ts'
import type { SyncSettings } from '../provider/sync.ts'
import { explainClaim, nameUser } from '../name-user.ts'
import type { OpenedSession, SessionsService } from './sessions.ts'

/** Sign-in with OpenID Connect: the authorization code flow with PKCE. */
export interface SignIn {
  /** Whether an identity provider is configured. */
  isConfigured: boolean
  /**
   * Starts a sign-in. Returns the provider's URL and the encrypted state that the browser must keep. Throws NotFound
   * if sign-in is not configured or the workspace does not exist, and Unavailable if the provider does not respond.
   */
  begin(workspaceSlug: string, returnTo: string): Promise<{ url: string; pending: string }>
  /**
   * Completes a sign-in with the query string from the provider's redirect. Throws AuthRequired if the sign-in was
   * not started in this browser, is too old or was rejected by the provider. Throws Forbidden if the person is not a
   * member.
   */
  complete(query: string, pending: string | undefined): Promise<OpenedSession & { return_to: string }>
}

/** The route to which the provider sends users back. */
export const CALLBACK_PATH = '/v1/session/callback'

const PENDING_MINUTES = 10
const PROVIDER_TIMEOUT_SECONDS = 10
const MAX_REASON_CHARS = 500

type Settings = Pick<
  Config,
  | 'OIDC_ISSUER'
  | 'OIDC_CLIENT_ID'
  | 'OIDC_CLIENT_SECRET'
  | 'OIDC_SCOPE'
  | 'OIDC_USER_CLAIM'
  | 'OIDC_USER_PREFIX'
  | 'BASE_URL'
  | 'API_KEY_SECRET'
> &
  ClaimSettings &
  SyncSettings

interface Deps {
  db: Database
  sessions: Pick<SessionsService, 'open'>
  config: Settings
  log: Pick<Logger, 'warn'>
}

type Tokens = Awaited<ReturnType<typeof oidc.authorizationCodeGrant>>

/** The encrypted state that the browser keeps while the user signs in at the provider. */
interface PendingSignIn {
  state: string
  nonce: string
  verifier: string
  workspace_id: string
  return_to: string
}

export function createSignIn({ db, sessions, config, log }: Deps): SignIn {
  const key = new Uint8Array(hkdfSync('sha256', config.API_KEY_SECRET, '', 'sign-in', 32))
  const redirect_uri = new URL(CALLBACK_PATH, config.BASE_URL ?? 'http://localhost').href
  let provider: Promise<oidc.Configuration> | undefined

  /** Reads the provider's metadata once and caches it. */
  function findProvider(): Promise<oidc.Configuration> {
    const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: id, OIDC_CLIENT_SECRET: secret } = config
    if (issuer === undefined || id === undefined) throw new NotFound('Sign-in by OpenID Connect')
    const execute = issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : []
    provider ??= oidc
      .discovery(new URL(issuer), id, secret, undefined, { execute, timeout: PROVIDER_TIMEOUT_SECONDS })
      .catch((error: unknown) => {
        provider = undefined
        throw new Unavailable('The identity provider does not respond', { cause: error })
      })
    return provider
  }

  const claimNames = ['name', 'email', 'picture', config.OIDC_GROUPS_CLAIM, config.OIDC_ROLES_CLAIM]

  /** Returns the claims of the ID token, and the claims that the provider returns only at its UserInfo endpoint. */
  async function readClaims(configuration: oidc.Configuration, tokens: Tokens): Promise<UserClaims> {
    const claims: JWTPayload = tokens.claims() ?? {}
    const isComplete = claimNames.every(name => name === undefined || findClaim(claims, name) !== undefined)
    if (isComplete || configuration.serverMetadata().userinfo_endpoint === undefined)
      return { claims, isComplete: true }
    try {
      const userInfo = await oidc.fetchUserInfo(configuration, tokens.access_token, String(claims.sub))
      return { claims: { ...(userInfo as JWTPayload), ...claims }, isComplete: true }
    } catch (error) {
      log.warn({ reason: describeError(error) }, 'the UserInfo endpoint failed')
      return { claims, isComplete: false }
    }
  }

  return {
    isConfigured: config.OIDC_ISSUER !== undefined && config.OIDC_CLIENT_ID !== undefined,

    async begin(workspaceSlug, returnTo) {
      const configuration = await findProvider()
      const workspace = await db.system(tx => findWorkspaceBySlug(tx, workspaceSlug))
      if (!workspace) throw new NotFound(`Workspace "${workspaceSlug}"`)
      const pending = { ...createSecrets(), workspace_id: workspace.id, return_to: checkPath(returnTo) }
      const url = oidc.buildAuthorizationUrl(configuration, {
        redirect_uri,
        scope: config.OIDC_SCOPE,
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(pending.verifier),
        code_challenge_method: 'S256',
      })
      return { url: url.href, pending: await encrypt(pending, key) }
    },

    async complete(query, text) {
      const configuration = await findProvider()
      const pending = text === undefined ? undefined : await decrypt(text, key)
      if (!pending)
        throw new AuthRequired('The sign-in was not started in this browser, or it is too old: sign in again')
      const checks = {
        pkceCodeVerifier: pending.verifier,
        expectedState: pending.state,
        expectedNonce: pending.nonce,
        idTokenExpected: true,
      }
      const url = new URL(redirect_uri)
      url.search = query
      const tokens = await oidc.authorizationCodeGrant(configuration, url, checks).catch((error: unknown) => {
        const refusal = describeRefusal(error)
        log.warn({ reason: refusal ?? describeError(error), workspace_id: pending.workspace_id }, 'sign-in failed')
        // Without a response from the provider, the failure is not the caller's fault.
        throw refusal === undefined
          ? new Unavailable('The identity provider does not respond', { cause: error })
          : new AuthRequired(`The sign-in was rejected: ${refusal}`)
      })
      const { OIDC_USER_PREFIX: prefix, OIDC_USER_CLAIM: claim } = config
      const actor = nameUser(tokens.claims() ?? {}, { prefix, claim })
      if (actor === undefined) {
        log.warn({ reason: explainClaim(claim), workspace_id: pending.workspace_id }, 'sign-in failed')
        throw new AuthRequired(`The identity provider ${explainClaim(claim)}`)
      }
      const provided = readProvidedFields(await readClaims(configuration, tokens), config)
      const session = await sessions.open(pending.workspace_id, actor, { provided, settings: config })
      return { ...session, return_to: pending.return_to }
    },
  }
}

const createSecrets = () => ({
  state: oidc.randomState(),
  nonce: oidc.randomNonce(),
  verifier: oidc.randomPKCECodeVerifier(),
})

/** Accepts only a path on this service, so that a sign-in cannot redirect to another site. */
function checkPath(path: string): string {
  const isOwn = path.startsWith('/') && new URL(path, 'http://own.invalid').origin === 'http://own.invalid'
  if (isOwn) return path
  throw invalidRequestError([{ pointer: '/query/return_to', message: 'must be a path of this service' }])
}

const encrypt = (pending: PendingSignIn, key: Uint8Array): Promise<string> =>
  new EncryptJWT({ ...pending })
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .setExpirationTime(`${PENDING_MINUTES} minutes`)
    .encrypt(key)

async function decrypt(text: string, key: Uint8Array): Promise<PendingSignIn | undefined> {
  try {
    const { payload } = await jwtDecrypt<PendingSignIn>(text, key, {
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: ['A256GCM'],
    })
    return payload
  } catch {
    return undefined
  }
}

/** Troubleshooting advice, by OAuth, OpenID Connect or library error code. */
const ADVICE: Record<string, string> = {
  invalid_client: 'check OIDC_CLIENT_ID and OIDC_CLIENT_SECRET',
  unauthorized_client: 'check OIDC_CLIENT_ID and the client settings at the provider',
  invalid_scope: 'check OIDC_SCOPE',
  invalid_grant: 'the code was already used or is too old, so sign in again',
  access_denied: 'the provider denied access',
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: 'check the clocks of the provider and of this service',
  OAUTH_INVALID_RESPONSE: 'sign in again',
}

/** Describes why a sign-in was rejected. Returns undefined if the provider did not respond. */
function describeRefusal(error: unknown): string | undefined {
  if (error instanceof oidc.AuthorizationResponseError || error instanceof oidc.ResponseBodyError) {
    const reason = error.error_description === undefined ? error.error : `${error.error} (${error.error_description})`
    return withAdvice(`the identity provider returned ${reason}`, error.error)
  }
  return error instanceof oidc.ClientError ? withAdvice(describeError(error), error.code) : undefined
}

const withAdvice = (text: string, code = ''): string => {
  const advice = Object.hasOwn(ADVICE, code) ? ADVICE[code] : undefined
  return (advice === undefined ? text : `${text}; ${advice}`).slice(0, MAX_REASON_CHARS)
}

/** Describes an error without its details, which may contain a token. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error'
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}
