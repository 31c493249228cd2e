import { timingSafeEqual } from 'node:crypto'
import { listBrains } from '../../data/access-store.ts'
import { writeAudit } from '../../data/audit-store.ts'
import { countUse, findByPrefix, noteUse, revokeCredential, revokeCredentialsOf } from '../../data/credentials-store.ts'
import type { Database, Tx } from '../../data/database.ts'
import { findMember } from '../../data/members-store.ts'
import type { Permission, Role } from '../../domain/access/permissions.ts'
import { AuthRequired, Forbidden } from '../../domain/errors.ts'
import { issueCredential } from './issuing.ts'
import { computeHmac, parseToken } from './token.ts'
import type { Caller, Manager } from './types.ts'

/** A session that begins. */
export interface OpenedSession {
  token: string
  /** ISO 8601 */
  expires_at: string
}

/** What a signed-in user works with. */
export interface SessionContext {
  actor: string
  role: Role
  groups: string[]
  permissions: Permission[]
  workspace: { id: string; slug: string }
  brains: { id: string; name: string }[]
  default_brain_id: string | null
  /** The text for the header X-CSRF-Token of changing requests. */
  csrf_token: string
  expires_at: string | null
}

/** Sessions of signed-in members. */
export interface SessionsService {
  /** Opens a session of a person. Throws Forbidden when the person is not a member. */
  open(workspaceId: string, actor: string): Promise<OpenedSession>
  /** Creates a link token that signs a member in once, within a quarter of an hour. Throws Forbidden for others. */
  createLink(by: Manager, actor: string): Promise<{ token: string; expires_at: string }>
  /** Opens the session of a link. Throws AuthRequired for a link that is unknown, was used or has expired. */
  openByLink(linkToken: string): Promise<OpenedSession>
  describe(caller: Caller): Promise<SessionContext>
  /** Ends the session of the caller, or all sessions of the person. */
  end(caller: Caller, everywhere: boolean): Promise<void>
}

const LINK_MS = 15 * 60_000
const MAX_BRAINS = 1_000

interface Deps {
  db: Database
  /** Key of the HMAC under which tokens are stored. */
  secret: string
  /** Sessions end after this time. */
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

  return {
    open: (workspaceId, actor) => db.inWorkspace(workspaceId, tx => open(tx, workspaceId, actor)),

    createLink: (by, actor) =>
      db.inWorkspace(by.workspace_id, async tx => {
        await checkMember(tx, actor)
        const expires_at = new Date(Date.now() + LINK_MS).toISOString()
        const { token } = await issue(tx, by, 'sign_in_link', actor, expires_at)
        return { token, expires_at }
      }),

    async openByLink(linkToken) {
      const parsed = parseToken(linkToken)
      if (parsed?.kind !== 'sign_in_link') throw new AuthRequired(NO_LINK)
      return db.inWorkspace(parsed.workspace_id, async tx => {
        const found = await findByPrefix(tx, parsed.prefix)
        const isKnown = found && timingSafeEqual(found.hmac, computeHmac(linkToken, secret))
        if (!isKnown || found.actor === null || !(await countUse(tx, found.id))) throw new AuthRequired(NO_LINK)
        await noteUse(tx, found)
        return open(tx, parsed.workspace_id, found.actor)
      })
    },

    async describe({ principal, role, permissions, csrf_token, expires_at }) {
      const { actor, groups, workspace_id, workspace_slug, brain } = principal
      const brains = await db.inWorkspace(workspace_id, tx => listBrains(tx, MAX_BRAINS))
      return {
        actor,
        role: role ?? 'viewer',
        groups,
        permissions: [...permissions],
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
        if (everywhere) await revokeCredentialsOf(tx, actor, 'session')
        else await revokeCredential(tx, 'session', key_id)
        await writeAudit(tx, principal, { action: 'session.revoke', target: key_id, details: { everywhere } })
      }),
  }
}

/** A person who signs in, and has no credential yet. */
const signingIn = (workspace_id: string, actor: string): Manager => ({
  workspace_id,
  actor,
  person: actor,
  key_id: 'sign-in',
})

const NO_LINK = 'The sign-in link is unknown, was used or has expired'

async function checkMember(tx: Tx, actor: string): Promise<void> {
  if (!(await findMember(tx, actor))) throw new Forbidden(`${actor} is not a member of the workspace`)
}
