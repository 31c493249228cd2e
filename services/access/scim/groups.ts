import { isDeepStrictEqual } from 'node:util'
import { writeAudit } from '../../../data/audit/audit-store.ts'
import type { Database, Tx } from '../../../data/shared/database.ts'
import {
  addToGroup,
  deleteGroup,
  findStrangers,
  insertGroup,
  listGroups,
  listMemberships,
  lockGroup,
  type ProvisionedGroup,
  removeFromGroup,
  updateGroup,
} from '../../../data/access/provisioning-store.ts'
import { isGroupName } from '../../../domain/access/principal.ts'
import { decodeScimId, encodeScimId } from '../../../domain/access/scim-id.ts'
import { ScimProblem } from '../../../domain/access/scim-problem.ts'
import { NotFound } from '../../../domain/shared/errors.ts'
import { applyPatch } from './patch.ts'
import { parseFilter, type Provisioner, type ResourceService } from './resource-service.ts'
import { type GroupResource, parseGroup, presentGroup, type Resource } from './resources.ts'

/** Groups that a SCIM client has created. */
export function createScimGroups({ db }: { db: Database }): ResourceService {
  const inWorkspace = <T>(by: Provisioner, work: (tx: Tx) => Promise<T>) =>
    db.inWorkspace(by.manager.workspace_id, work)

  /** Changes a group in one transaction. `change` returns the new resource. */
  const changeGroup = (by: Provisioner, id: string, change: (present: Resource) => unknown): Promise<Resource> =>
    inWorkspace(by, async tx => {
      const before = await requireGroup(tx, id)
      const [members = []] = await readMembers(tx, [before])
      const { displayName, externalId = null, ...group } = parseGroup(change(presentGroup(before, members, by.base)))
      const after = { name: before.name, display_name: displayName, external_id: externalId }
      if (!isDeepStrictEqual(before, after)) await updateGroup(tx, after)
      const actors = toActors(group)
      const added = [...new Set(actors).difference(new Set(members))]
      const removed = [...new Set(members).difference(new Set(actors))]
      await changeMembers(tx, after.name, { added, removed })
      if (added.length + removed.length > 0 || !isDeepStrictEqual(before, after))
        await auditGroup(tx, by, { before, after, added, removed })
      return presentGroup(after, actors.toSorted(), by.base)
    })

  return {
    list: (by, { filter, withMembers, ...range }) =>
      inWorkspace(by, async tx => {
        const { rows, total } = await listGroups(tx, parseFilter(filter), range)
        const members = withMembers ? await readMembers(tx, rows) : []
        return { resources: rows.map((group, i) => presentGroup(group, members[i], by.base)), total }
      }),

    read: (by, id, { withMembers }) =>
      inWorkspace(by, async tx => {
        const group = await requireGroup(tx, id)
        const [members] = withMembers ? await readMembers(tx, [group]) : []
        return presentGroup(group, members, by.base)
      }),

    create: (by, body) =>
      inWorkspace(by, async tx => {
        const { displayName, externalId = null, ...resource } = parseGroup(body)
        const name = `group:${displayName.trim().replaceAll(/\s+/gu, '-')}`
        if (!isGroupName(name)) throw new ScimProblem('invalidValue', 'displayName: must be 1 to 200 characters')
        const group = { name, display_name: displayName, external_id: externalId }
        if (await lockGroup(tx, name)) throw new ScimProblem('uniqueness', `The group ${name} already exists`)
        await insertGroup(tx, group)
        const added = toActors(resource)
        await changeMembers(tx, name, { added, removed: [] })
        await auditGroup(tx, by, { after: group, added, removed: [] })
        return presentGroup(group, added.toSorted(), by.base)
      }),

    replace: (by, id, body) => changeGroup(by, id, () => body),
    patch: (by, id, body) => changeGroup(by, id, present => applyPatch(present, body)),

    delete: (by, id) =>
      inWorkspace(by, async tx => {
        const before = await requireGroup(tx, id)
        const [removed = []] = await readMembers(tx, [before])
        await removeFromGroup(tx, before.name, removed)
        await deleteGroup(tx, before.name)
        await auditGroup(tx, by, { before, added: [], removed })
      }),
  }
}

async function requireGroup(tx: Tx, id: string): Promise<ProvisionedGroup> {
  const name = decodeScimId(id)
  const group = name === undefined ? undefined : await lockGroup(tx, name)
  if (!group) throw new NotFound(`Group ${id}`)
  return group
}

/** Returns the people in each of the groups. */
async function readMembers(tx: Tx, groups: ProvisionedGroup[]): Promise<string[][]> {
  const names = groups.map(({ name }) => name)
  const memberships = await listMemberships(tx, names)
  return names.map(name => memberships.filter(entry => entry.names.includes(name)).map(({ actor }) => actor))
}

const toActors = ({ members }: Pick<GroupResource, 'members'>): string[] => [
  ...new Set((members ?? []).map(({ value }) => decodeScimId(value) ?? value)),
]

async function changeMembers(
  tx: Tx,
  name: string,
  { added, removed }: { added: string[]; removed: string[] },
): Promise<void> {
  const [stranger] = added.length > 0 ? await findStrangers(tx, added) : []
  if (stranger !== undefined)
    throw new ScimProblem('invalidValue', `members: no user has the id ${encodeScimId(stranger)}`)
  if (added.length > 0) await addToGroup(tx, name, added)
  if (removed.length > 0) await removeFromGroup(tx, name, removed)
}

interface GroupChange {
  before?: ProvisionedGroup
  after?: ProvisionedGroup
  added: string[]
  removed: string[]
}

const auditGroup = (tx: Tx, { manager }: Provisioner, { before, after, ...members }: GroupChange): Promise<void> =>
  writeAudit(tx, manager, {
    action: after ? 'group.set' : 'group.remove',
    target: (after ?? before)?.name ?? '',
    before,
    after,
    details: { ...members, source: 'scim' },
  })
