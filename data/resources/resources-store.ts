import type { Tx } from '../shared/database.ts'
import { isDuplicate } from '../shared/database-errors.ts'
import { findKeptDocument, keepDocument } from '../documents/kept-documents.ts'
import { createFilter, readPage, type Page } from '../shared/page.ts'
import { execute, insert, requireRow, selectOne } from '../shared/statements.ts'
import { computed, list, nullable, omit, pick, text, type Row } from '../shared/table.ts'
import type { Permission } from '../../domain/access/permissions.ts'
import { Conflict } from '../../domain/shared/errors.ts'
import { parseDocumentText, writeDocumentText } from '../../domain/resources/document-text.ts'
import type { ResourceKind } from '../../domain/resources/kinds/index.ts'
import { resourcesTable, resourceVersionsTable } from './tables.ts'
import { isUuid } from '../../domain/shared/uuid.ts'

export type { ResourceKind } from '../../domain/resources/kinds/index.ts'

/** The brains whose resources are visible, besides resources without a brain. Null or undefined means all. */
export type Brains = string[] | null

export const HEAD = pick(
  resourcesTable,
  'id',
  'brain_id',
  'kind',
  'slug',
  'title',
  'path',
  'scope',
  'is_active',
  'version',
  'revision',
  'document',
  'created_at',
  'updated_at',
  'deleted_at',
)
/** The head of a resource: title, slug, path and the document of `version`. */
export type Resource = Row<typeof HEAD>

const VERSION = omit(resourceVersionsTable, 'workspace_id', 'content_sha256')
/** One immutable version of a resource: the fields of the head as they were when it was saved. */
export type ResourceVersion = Row<typeof VERSION>

export interface Address {
  kind: ResourceKind
  /** An id, or the slug of a live resource. */
  idOrSlug: string
  brain_ids?: Brains
}

export type NewResource = Omit<Resource, 'version' | 'revision' | 'created_at' | 'updated_at' | 'deleted_at'>

/** The author, note and delta of a version. */
export type Save = Pick<ResourceVersion, 'author' | 'author_permissions' | 'note' | 'delta'>

/** Inserts a resource with version 1. Throws Conflict when a live resource of the kind has the slug. */
export async function insertResource(tx: Tx, resource: NewResource, save: Save): Promise<void> {
  await insert(tx, resourcesTable, { ...resource, version: 1 }).catch(slugError(resource.slug))
  await insertVersion(tx, resource.id, save)
}

/** What a save gives a head. */
const SAVED = pick(resourcesTable, 'version', 'revision', 'updated_at')

/**
 * Saves the head as its next version and returns it; the caller holds the row lock (`lockResource`), so versions are
 * contiguous. The document is sent once. Throws Conflict when a live resource of the kind has the slug.
 */
export async function saveNextVersion(tx: Tx, head: Resource, save: Save): Promise<Resource> {
  const { id, brain_id, slug, title, path, scope, is_active, document } = head
  const savedHead = await selectOne(
    tx,
    SAVED,
    `update resources set brain_id = $2, slug = $3, title = $4, path = $5, scope = $6, is_active = $7, document = $8,
            version = version + 1, updated_at = now()
      where id = $1 returning ${list(SAVED)}`,
    [id, brain_id, slug, title, path, scope, is_active, writeDocumentText(document)],
  ).catch(slugError(slug))
  await insertVersion(tx, id, save)
  const next = { ...head, ...requireRow(savedHead) }
  keepDocument(next)
  return next
}

/** Inserts the version that a head has now. */
async function insertVersion(tx: Tx, id: string, { delta, author, author_permissions, note }: Save): Promise<void> {
  await execute(
    tx,
    `insert into resource_versions (resource_id, version, slug, title, path, scope, brain_id, is_active, document, delta,
                                    author, author_permissions, note)
     select id, version, slug, title, path, scope, brain_id, is_active, document, $2, $3, $4, $5 from resources where id = $1`,
    [id, delta && JSON.stringify(delta), author, author_permissions, note],
  )
}

/** Finds a head; with `deleted` also a deleted one that is not purged. A live resource of the slug precedes deleted ones. */
export async function findResource(
  tx: Tx,
  address: Address,
  options: { deleted?: boolean } = {},
): Promise<Resource | undefined> {
  return selectHead(tx, address, options.deleted ?? false, '')
}

/** Finds a head like `findResource` and locks its row until the transaction ends. */
export async function lockResource(
  tx: Tx,
  address: Address,
  options: { deleted?: boolean } = {},
): Promise<Resource | undefined> {
  return selectHead(tx, address, options.deleted ?? false, 'for update')
}

/**
 * A document is read as the text that is stored, because a save needs the text of the former version, too. It is left out
 * where this process has it at the revision of the row.
 */
const HEAD_WITH_TEXT = {
  ...HEAD,
  document: computed(nullable(text()), 'case when revision = $5 then null else document::text end'),
}

async function selectHead(tx: Tx, address: Address, deleted: boolean, lock: string): Promise<Resource | undefined> {
  const revision = findKeptDocument(address.idOrSlug)
  const row = await selectOne(
    tx,
    HEAD_WITH_TEXT,
    `select ${list(HEAD_WITH_TEXT)} from resources
      where kind = $1 and ${isUuid(address.idOrSlug) ? 'id' : 'slug'} = $2
        and ($3::uuid[] is null or brain_id is null or brain_id = any($3))
        and (deleted_at is null or $4 and purged_at is null)
      order by deleted_at desc nulls first limit 1 ${lock}`,
    [address.kind, address.idOrSlug, address.brain_ids ?? null, deleted, revision?.revision ?? null],
  )
  if (!row) return undefined
  const document = row.document === null ? (revision as Resource).document : parseDocumentText(row.document)
  const head = { ...row, document }
  keepDocument(head)
  return head
}

/** Returns a page of live heads, newest first. */
export async function listResources(
  tx: Tx,
  filter: { kind: ResourceKind; is_active?: boolean; path?: string; brain_ids?: Brains; limit: number; offset: number },
): Promise<Page<Resource>> {
  const conditions = createFilter()
  conditions.where('deleted_at is null and kind = ?', filter.kind)
  conditions.where('is_active = ?', filter.is_active)
  conditions.where('path = ?', filter.path)
  conditions.where('(brain_id is null or brain_id = any(?))', filter.brain_ids ?? undefined)
  const { limit, offset } = filter
  const query = { columns: HEAD, from: 'resources', order: 'created_at desc, id desc', limit, offset }
  return readPage(tx, query, conditions)
}

export async function findVersion(tx: Tx, id: string, version: number): Promise<ResourceVersion | undefined> {
  return selectOne(
    tx,
    VERSION,
    `select ${list(VERSION)} from resource_versions where resource_id = $1 and version = $2`,
    [id, version],
  )
}

/** Returns what the author of a version could do when saving it. */
export async function findAuthorPermissions(
  tx: Tx,
  { id, version }: Pick<Resource, 'id' | 'version'>,
): Promise<Permission[]> {
  return (await findVersion(tx, id, version))?.author_permissions ?? []
}

const LINE = pick(resourceVersionsTable, 'version', 'delta', 'author', 'note', 'created_at')
/** A line of the history: how a version came to be. */
export type VersionLine = Row<typeof LINE>

/** Returns a page of the history, newest first. */
export async function listVersions(
  tx: Tx,
  id: string,
  page: { limit: number; offset: number },
): Promise<Page<VersionLine>> {
  const conditions = createFilter()
  conditions.where('resource_id = ?', id)
  return readPage(tx, { columns: LINE, from: 'resource_versions', order: 'version desc', ...page }, conditions)
}

export async function markDeleted(tx: Tx, id: string): Promise<void> {
  await execute(tx, 'update resources set deleted_at = now(), updated_at = now() where id = $1', [id])
}

/** Restores a deleted resource unchanged. Throws Conflict when another live resource has its slug. */
export async function unmarkDeleted(tx: Tx, resource: Resource): Promise<void> {
  const { id, slug } = resource
  await execute(tx, 'update resources set deleted_at = null, updated_at = now() where id = $1', [id]).catch(
    slugError(slug),
  )
}

/** A live resource of the kind already has the slug. */
export class SlugTaken extends Conflict {
  readonly slug: string

  constructor(slug: string) {
    super(`The slug "${slug}" is taken`)
    this.slug = slug
  }
}

const slugError =
  (slug: string) =>
  (error: unknown): never => {
    if (isDuplicate(error, 'resources_live_source')) throw new Conflict('Another live asset has this source_key')
    throw isDuplicate(error, 'resources_live_slug') ? new SlugTaken(slug) : error
  }
