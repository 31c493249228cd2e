import { randomUUIDv7 } from 'node:crypto'
import { writeAudit, type AuditAction } from '../../data/audit-store.ts'
import type { Database, Tx } from '../../data/database.ts'
import {
  findResource,
  findVersion,
  holdResource,
  insertResource,
  listResources,
  listVersions,
  markDeleted,
  saveNextVersion,
  unmarkDeleted,
  type Resource,
} from '../../data/resources-store.ts'
import { Conflict, NotFound, ValidationError } from '../../domain/errors.ts'
import { dryRun } from '../../domain/pathway/dry-run.ts'
import type { Principal } from '../../domain/principal.ts'
import { compileSchema } from '../../domain/schemas/json-schema.ts'
import { pathwayView, snapshotView, versionView, type PathwayDocument } from './document.ts'
import { changedPathway, checkDefinition, newPathway, requireWritable } from './saving.ts'
import type { PathwaysService } from './types.ts'

/** Versions are 32-bit. */
const LAST_VERSION = 2_147_483_647

/** Pathways on the spine: every save is checked whole and becomes a new version. */
export function createPathways({ db }: { db: Database }): PathwaysService {
  return {
    async list(who, page) {
      const brain_ids = who.brain_id === undefined ? who.brain_ids : [who.brain_id]
      const filter = { kind: 'pathways', brain_ids, ...page } as const
      const { rows, total } = await db.inWorkspace(who.workspace_id, tx => listResources(tx, filter))
      return { data: rows.map(pathwayView), total }
    },

    create: (who, fields) =>
      db.inWorkspace(who.workspace_id, async tx => {
        const id = randomUUIDv7()
        const pathway = await newPathway(tx, who, id, fields)
        await insertResource(tx, pathway, { author: who.actor, note: fields.note ?? null, changed: null })
        await audit(tx, who, 'pathway.create', { id, version: 1 })
        return read(tx, who, id)
      }),

    read: (who, idOrSlug, version) => db.inWorkspace(who.workspace_id, tx => read(tx, who, idOrSlug, version)),

    patch: (who, idOrSlug, fields, expectedVersion) =>
      db.inWorkspace(who.workspace_id, async tx => {
        const head = await hold(tx, who, idOrSlug)
        if (expectedVersion !== undefined && expectedVersion !== head.version)
          throw new Conflict(`The pathway is at version ${head.version}, not ${expectedVersion}`)
        const { next, changed } = await changedPathway(tx, who, head, fields)
        const version = await saveNextVersion(tx, next, { author: who.actor, note: fields.note ?? null, changed })
        await audit(tx, who, 'pathway.update', { id: head.id, version })
        return read(tx, who, head.id)
      }),

    remove: (who, idOrSlug) =>
      db.inWorkspace(who.workspace_id, async tx => {
        const head = await hold(tx, who, idOrSlug)
        await markDeleted(tx, head.id)
        await audit(tx, who, 'pathway.delete', head)
      }),

    restore: (who, idOrSlug) =>
      db.inWorkspace(who.workspace_id, async tx => {
        const head = await hold(tx, who, idOrSlug, { deleted: true })
        if (head.deleted_at === null) return pathwayView(head)
        await unmarkDeleted(tx, head)
        await audit(tx, who, 'pathway.restore', head)
        return read(tx, who, head.id)
      }),

    history: (who, idOrSlug, page) =>
      db.inWorkspace(who.workspace_id, async tx => {
        const head = await findResource(tx, address(who, idOrSlug), { deleted: true })
        if (!head) throw new NotFound('Pathway')
        const { rows, total } = await listVersions(tx, head.id, page)
        return { data: rows.map(versionView), total }
      }),

    async dryRun(who, idOrSlug, { input, outputs, definition: sent }) {
      const definition = await db.inWorkspace(who.workspace_id, async tx => {
        const head = await requireHead(tx, who, idOrSlug)
        return sent === undefined ? (head.document as PathwayDocument).definition : checkDefinition(tx, who, sent)
      })
      const schema = definition.input && compileSchema(definition.input)
      const problems = schema && 'validate' in schema ? schema.validate(input ?? null, '/input') : []
      if (problems.length > 0) throw new ValidationError('The input does not fit the pathway', problems)
      return dryRun(definition, { input, outputs })
    },
  }
}

const address = (who: Principal, idOrSlug: string) =>
  ({ kind: 'pathways', idOrSlug, brain_ids: who.brain_ids }) as const

async function requireHead(tx: Tx, who: Principal, idOrSlug: string): Promise<Resource> {
  const head = await findResource(tx, address(who, idOrSlug))
  if (!head) throw new NotFound('Pathway')
  return head
}

/** The head, held until the transaction ends, for somebody who may write it. */
async function hold(tx: Tx, who: Principal, idOrSlug: string, options?: { deleted: boolean }): Promise<Resource> {
  const head = await holdResource(tx, address(who, idOrSlug), options)
  if (!head) throw new NotFound('Pathway')
  requireWritable(who, head.brain_id)
  return head
}

async function read(tx: Tx, who: Principal, idOrSlug: string, version?: number) {
  const head = await requireHead(tx, who, idOrSlug)
  if (version === undefined) return pathwayView(head)
  const saved = version <= LAST_VERSION ? await findVersion(tx, head.id, version) : undefined
  if (!saved) throw new NotFound(`Version ${version}`)
  return snapshotView(head, saved)
}

async function audit(
  tx: Tx,
  who: Principal,
  action: AuditAction,
  pathway: { id: string; version: number },
): Promise<void> {
  const details = { version: pathway.version, key_id: who.key_id }
  await writeAudit(tx, { actor: who.actor, action, target: pathway.id, details })
}
