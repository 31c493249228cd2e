import { writeAudit } from '../../data/audit-store.ts'
import { revokeCredentialsOf } from '../../data/credentials-store.ts'
import type { Database, Tx } from '../../data/database.ts'
import { deleteMember, findMember, listMembers, lockOwners, saveMember, type Member } from '../../data/members-store.ts'
import type { Role } from '../../domain/access/permissions.ts'
import { Conflict, Forbidden, NotFound } from '../../domain/errors.ts'
import { checkActor, checkGroups } from './key-fields.ts'
import type { Manager } from './types.ts'

export type { Member }

/** The people of a workspace with their roles and groups, which credentials of a person have within seconds. */
export interface MembersService {
  list(by: Manager, page: { limit: number; offset: number }): Promise<{ data: Member[]; total: number }>
  /**
   * Adds a person, or replaces its role and groups. Without a role, a new member is a builder and another keeps its role.
   * Throws ValidationError for bad names, Forbidden when only an owner may do this, Conflict for the last owner.
   */
  save(by: Manager, fields: { actor: string; role?: Role; groups?: string[] }): Promise<Member>
  /**
   * Removes a person and revokes its sessions and API keys. Throws NotFound for others, Forbidden when only an owner may do
   * this, Conflict for the last owner.
   */
  remove(by: Manager, actor: string): Promise<void>
}

/** Creates the service of members. */
export function createMembers({ db }: { db: Database }): MembersService {
  return {
    async list({ workspace_id }, page) {
      const { rows, total } = await db.inWorkspace(workspace_id, tx => listMembers(tx, page))
      return { data: rows, total }
    },

    async save(by, { actor: name, role, groups }) {
      const fields = { actor: checkActor(name), role, groups: checkGroups(groups) }
      return db.inWorkspace(by.workspace_id, async tx => {
        if (role !== undefined) await checkOwners(tx, by, fields.actor, role)
        const saved = await saveMember(tx, fields)
        const details = { role: saved.role, groups: saved.groups }
        await writeAudit(tx, { actor: by.actor, action: 'member.set', target: saved.actor, details })
        return saved
      })
    },

    remove: (by, actor) =>
      db.inWorkspace(by.workspace_id, async tx => {
        if (!(await findMember(tx, actor))) throw new NotFound(`The member ${actor}`)
        await checkOwners(tx, by, actor, undefined)
        await deleteMember(tx, actor)
        const revoked = await revokeCredentialsOf(tx, actor)
        await writeAudit(tx, { actor: by.actor, action: 'member.remove', target: actor, details: { revoked } })
      }),
  }
}

/** Checks that only an owner changes who the owners are, and that a workspace with owners keeps one. */
async function checkOwners(tx: Tx, by: Manager, actor: string, role: Role | undefined): Promise<void> {
  const owners = await lockOwners(tx)
  const isOwner = owners.includes(actor)
  if (isOwner === (role === 'owner')) return
  if (by.permissions && !by.permissions.has('owners:manage'))
    throw new Forbidden('Only an owner may change who the owners are')
  if (isOwner && owners.length === 1) throw new Conflict('The workspace must keep an owner')
}
