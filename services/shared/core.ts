import { isDeepStrictEqual } from 'node:util'
import { randomUUIDv7 } from 'node:crypto'
import { z } from 'zod'
import { findWorkspaceBySlug } from '../../data/access/access-store.ts'
import { OPERATOR } from '../../data/audit/audit-store.ts'
import type { Database, Tx } from '../../data/shared/database.ts'
import { listWorkspaceIds } from '../../data/search/search-outbox-store.ts'
import {
  lockResource,
  insertResource,
  type NewResource,
  type Resource,
  saveNextVersion,
} from '../../data/resources/resources-store.ts'
import { PERMISSIONS } from '../../domain/access/permissions.ts'
import { Conflict, NotFound, ValidationError } from '../../domain/shared/errors.ts'
import { prefixPointers } from '../../domain/shared/json/json-pointer.ts'
import { checkEditable } from '../../domain/resources/checking.ts'
import { getResourceKind } from '../../domain/resources/kinds/index.ts'
import { kindName } from '../../domain/resources/names.ts'
import { computeDelta } from '../../domain/resources/patching.ts'
import { auditResource } from '../resources/audit.ts'
import { toEditable } from '../resources/saving.ts'

const definition = z.strictObject({
  kind: kindName,
  slug: z.string(),
  title: z.string(),
  path: z.string().default('/'),
  document: z.record(z.string(), z.unknown()),
})

/** Schema for a workspace's core resources. */
export const coreDefinitions = z.array(definition).max(500)
export type CoreDefinition = z.output<typeof definition>

const AUTHOR = { author: OPERATOR.actor, author_permissions: [...PERMISSIONS] }

/**
 * Adds or updates the workspace's core resources and returns the number of writes. Repeating the call changes
 * nothing. Throws ValidationError for an invalid definition, and Conflict if another resource in the workspace uses
 * the slug.
 */
export async function applyCore(tx: Tx, definitions: CoreDefinition[]): Promise<number> {
  let writtenCount = 0
  for (const [i, entry] of definitions.entries()) if (await applyOne(tx, entry, `/${i}`)) writtenCount++
  return writtenCount
}

async function applyOne(tx: Tx, { kind: kindOfIt, ...fields }: CoreDefinition, at: string): Promise<boolean> {
  const kind = getResourceKind(kindOfIt)
  const checked = checkEditable({ ...fields, scope: 'core', brain_id: null, is_active: true }, kind)
  if ('problems' in checked)
    throw new ValidationError(
      `The core ${kind.singular} "${fields.slug}" is invalid`,
      prefixPointers(at, checked.problems),
    )
  const head = await lockResource(tx, { kind: kindOfIt, idOrSlug: fields.slug })
  if (head && head.scope !== 'core')
    throw new Conflict(`The workspace already has its own ${kind.singular} "${fields.slug}"`)
  if (head) return saveChange(tx, head, { ...head, ...checked.value })
  const resource: NewResource = { id: randomUUIDv7(), kind: kindOfIt, ...checked.value }
  await insertResource(tx, resource, { ...AUTHOR, note: null, delta: null })
  await auditResource(tx, OPERATOR, 'create', { after: { ...resource, version: 1 } }, { scope: 'core' })
  return true
}

async function saveChange(tx: Tx, head: Resource, next: Resource): Promise<boolean> {
  const [before, after] = [toEditable(head), toEditable(next)]
  if (isDeepStrictEqual(before, after)) return false
  const savedResource = await saveNextVersion(tx, next, { ...AUTHOR, note: null, delta: computeDelta(before, after) })
  await auditResource(tx, OPERATOR, 'update', { before: head, after: savedResource }, { scope: 'core' })
  return true
}

/**
 * Applies core definitions to one workspace by slug, or to all workspaces. Throws NotFound, and the same errors as
 * `applyCore`.
 */
export async function applyCoreTo(
  db: Database,
  definitions: CoreDefinition[],
  slug?: string,
): Promise<{ workspaces: number; resources: number }> {
  const ids = slug === undefined ? await db.system(tx => listWorkspaceIds(tx)) : [await workspaceId(db, slug)]
  let resources = 0
  for (const id of ids) resources += await db.inWorkspace(id, tx => applyCore(tx, definitions))
  return { workspaces: ids.length, resources }
}

async function workspaceId(db: Database, slug: string): Promise<string> {
  const workspace = await db.system(tx => findWorkspaceBySlug(tx, slug))
  if (!workspace) throw new NotFound(`Workspace "${slug}"`)
  return workspace.id
}
