import { timingSafeEqual } from 'node:crypto'
import { listBrains } from '../../../data/access/access-store.ts'
import { writeAudit } from '../../../data/audit/audit-store.ts'
import {
  countUse,
  findByPrefix,
  type FoundCredential,
  noteUse,
  revokeCredential,
  revokeSessionsOf,
} from '../../../data/access/credentials-store.ts'
import type { Database, Tx } from '../../../data/shared/database.ts'
import { findMember } from '../../../data/access/members-store.ts'
import type { StoredKind } from '../../../domain/access/permissions.ts'
import { AuthRequired, Conflict, Forbidden } from '../../../domain/shared/errors.ts'
import type { SessionContext } from '../../../contract/access/session.ts'
import type { Caller } from '../callers.ts'
import type { Manager } from '../manager.ts'
import type { ProvidedFields } from '../provider/claims.ts'
import { syncMember, type SyncSettings } from '../provider/sync.ts'
import { issueCredential } from './issuing.ts'
import { computeHmac, parseToken } from './token.ts'

/** A newly opened session. */
export interface OpenedSession {
  token: string
  /** ISO 8601 */
  expires_at: string
}

/** The session that the browser already has. */
export interface PresentSession {
  token: string
  /** Ends this session even if it belongs to another person. */
  replace: boolean
}

/** Sessions of signed-in members. */
export interface SessionsService {
  /**
   * Opens a session for a person, whose member is first updated with the fields from the identity provider. Throws
   * Forbidden if the person is not a member.
   */
  open(
    workspaceId: string,
    actor: string,
    sync?: { provided: ProvidedFields; settings: SyncSettings },
  ): Promise<OpenedSession>
  /**
   * Creates a link token that signs a member in once, within 15 minutes. Throws Forbidden if the person is not a
   * member.
   */
  createLink(by: Manager, actor: string): Promise<{ token: string; expires_at: string }>
  /**
   * Opens a session from a sign-in link. Throws AuthRequired for a link that is unknown, used or expired. Throws
   * Conflict if the browser has a session of another person or workspace, and `replace` is not set. The link then
   * remains unused.
   */
  openByLink(linkToken: string, present?: PresentSession): Promise<OpenedSession>
  describe(caller: Caller): Promise<SessionContext>
  /** Ends the caller's session, or all sessions of the same person. */
  end(caller: Caller, everywhere: boolean): Promise<void>
}

const LINK_MS = 15 * 60_000
const MAX_BRAINS = 1_000

type ValidCredential = FoundCredential & { workspace_id: string }

interface Deps {
  db: Database
  /** HMAC key used to store tokens. */
  secret: string
  /** Session lifetime. */
  hours: number
}

export function createSessions({ db, secret, hours }: Deps): SessionsService {
  const issue = (tx: Tx, by: Manager, kind: 'session' | 'sign_in_link', actor: string, expires_at: string) =>
    issueCredential(tx, secret, by, {
      kind,
      name: actor,
      actor,
      expires_at,
      max_uses: kind === 'sign_in_link' ? 1 : null,
    })

  async function open(tx: Tx, workspace_id: string, actor: string): Promise<OpenedSession> {
    await checkMember(tx, actor)
    const expires_at = new Date(Date.now() + hours * 3_600_000).toISOString()
    const { token } = await issue(tx, signingIn(workspace_id, actor), 'session', actor, expires_at)
    return { token, expires_at }
  }

  /** Finds a valid credential whose owner is still a member. */
  async function find(kind: StoredKind, token: string): Promise<ValidCredential | undefined> {
    const parsed = parseToken(token)
    if (parsed?.kind !== kind) return undefined
    const { workspace_id, prefix } = parsed
    const credential = await db.inWorkspace(workspace_id, tx => findByPrefix(tx, prefix))
    if (!credential || !timingSafeEqual(credential.hmac, computeHmac(token, secret))) return undefined
    const isOver = credential.revoked_at !== null || Date.parse(credential.expires_at ?? '') <= Date.now()
    return isOver || credential.member_role === null ? undefined : { ...credential, workspace_id }
  }

  return {
    open: (workspaceId, actor, sync) =>
      db.inWorkspace(workspaceId, async tx => {
        if (sync) await syncMember(tx, signingIn(workspaceId, actor), sync.provided, sync.settings)
        return open(tx, workspaceId, actor)
      }),

    createLink: (by, actor) =>
      db.inWorkspace(by.workspace_id, async tx => {
        await checkMember(tx, actor)
        const expires_at = new Date(Date.now() + LINK_MS).toISOString()
        const { token } = await issue(tx, by, 'sign_in_link', actor, expires_at)
        return { token, expires_at }
      }),

    async openByLink(linkToken, present) {
      const link = await find('sign_in_link', linkToken)
      const { workspace_id, actor } = link ?? {}
      if (!link || !workspace_id || !actor) throw new AuthRequired(NO_LINK)
      const session = present && (await find('session', present.token))
      const isOther = session && !(session.actor === actor && session.workspace_id === workspace_id)
      if (isOther && !present.replace)
        throw new Conflict(
          `${session.actor} is signed in to ${session.workspace_slug} in this browser, but the link is for ${actor} in ${link.workspace_slug}`,
        )
      const openedSession = await db.inWorkspace(workspace_id, async tx => {
        if (!(await countUse(tx, link.id))) throw new AuthRequired(NO_LINK)
        await noteUse(tx, link)
        return open(tx, workspace_id, actor)
      })
      if (isOther) await db.inWorkspace(session.workspace_id, tx => revokeCredential(tx, 'session', session.id))
      return openedSession
    },

    async describe({ principal, role, csrf_token, expires_at }) {
      const { actor, groups, workspace_id, workspace_slug, brain } = principal
      const [brains, member] = await db.inWorkspace(workspace_id, async tx => [
        await listBrains(tx, MAX_BRAINS),
        await findMember(tx, actor),
      ])
      return {
        actor,
        role: role ?? 'viewer',
        groups,
        display_name: member?.display_name ?? null,
        email: member?.email ?? null,
        picture_url: member?.picture_url ?? null,
        permissions: [...principal.permissions],
        workspace: { id: workspace_id, slug: workspace_slug },
        brains,
        default_brain_id: brain?.id ?? null,
        csrf_token: csrf_token ?? '',
        expires_at: expires_at ?? null,
      }
    },

    end: ({ principal }, everywhere) =>
      db.inWorkspace(principal.workspace_id, async tx => {
        const { actor, key_id } = principal
        if (everywhere) await revokeSessionsOf(tx, actor)
        else await revokeCredential(tx, 'session', key_id)
        await writeAudit(tx, principal, { action: 'session.revoke', target: key_id, details: { everywhere } })
      }),
  }
}

/** A person who is signing in and has no credential yet. */
const signingIn = (workspace_id: string, actor: string): Manager => ({
  workspace_id,
  actor,
  person: actor,
  key_id: 'sign-in',
})

const NO_LINK = 'The sign-in link is unknown, already used or expired'

async function checkMember(tx: Tx, actor: string): Promise<void> {
  if (!(await findMember(tx, actor))) throw new Forbidden(`${actor} is not a member of the workspace`)
}
