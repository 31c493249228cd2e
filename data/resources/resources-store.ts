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

/** The visible brains. Resources without a brain are always visible. Null or undefined means all. */
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
/** An immutable version of a resource, with the head fields at the time of saving. */
export type ResourceVersion = Row<typeof VERSION>

export interface Address {
  kind: ResourceKind
  /** An id, or the slug of a live resource. */
  idOrSlug: string
  brain_ids?: Brains
}

export type NewResource = Omit<Resource, 'version' | 'revision' | 'created_at' | 'updated_at' | 'deleted_at'>

/** The author, note and delta for a new version. */
export type Save = Pick<ResourceVersion, 'author' | 'author_permissions' | 'note' | 'delta'>

/** Inserts a resource at version 1. Throws Conflict when a live resource of the same kind has the slug. */
export async function insertResource(tx: Tx, resource: NewResource, save: Save): Promise<void> {
  await insert(tx, resourcesTable, { ...resource, version: 1 }).catch(slugError(resource.slug))
  await insertVersion(tx, resource.id, save)
}

/** The head fields that the database sets when a resource is saved. */
const VERSION_FIELDS = pick(resourcesTable, 'version', 'revision', 'updated_at')

/**
 * Saves the head as the next version and returns the new head. The caller must hold the row lock (`lockResource`),
 * which keeps version numbers contiguous. The document is sent only once. Throws Conflict when a live resource of the
 * same kind has the slug.
 */
export async function saveNextVersion(tx: Tx, head: Resource, save: Save): Promise<Resource> {
  const { id, brain_id, slug, title, path, scope, is_active, document } = head
  const savedHead = await selectOne(
    tx,
    VERSION_FIELDS,
    `update resources set brain_id = $2, slug = $3, title = $4, path = $5, scope = $6, is_active = $7, document = $8,
            version = version + 1, updated_at = now()
      where id = $1 returning ${list(VERSION_FIELDS)}`,
    [id, brain_id, slug, title, path, scope, is_active, writeDocumentText(document)],
  ).catch(slugError(slug))
  await insertVersion(tx, id, save)
  const next = { ...head, ...requireRow(savedHead) }
  keepDocument(next)
  return next
}

/** Inserts a version row from the current head. */
async function insertVersion(tx: Tx, id: string, { delta, author, author_permissions, note }: Save): Promise<void> {
  await execute(
    tx,
    `insert into resource_versions (resource_id, version, slug, title, path, scope, brain_id, is_active, document, delta,
                                    author, author_permissions, note)
     select id, version, slug, title, path, scope, brain_id, is_active, document, $2, $3, $4, $5 from resources where id = $1`,
    [id, delta && JSON.stringify(delta), author, author_permissions, note],
  )
}

/**
 * Finds a head. With `deleted`, also finds deleted heads that are not purged. If several match a slug, the live
 * resource takes precedence.
 */
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
 * Reads the document as stored text, because a save also needs the text of the previous version. Skips the document
 * when this process has cached it at the row's revision.
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

/** Returns the permissions that a version's author had when the version was saved. */
export async function findAuthorPermissions(
  tx: Tx,
  { id, version }: Pick<Resource, 'id' | 'version'>,
): Promise<Permission[]> {
  return (await findVersion(tx, id, version))?.author_permissions ?? []
}

const LINE = pick(resourceVersionsTable, 'version', 'delta', 'author', 'note', 'created_at')
/** A history entry: a version without its document. */
export type VersionLine = Row<typeof LINE>

/** Returns a page of a resource's history, newest first. */
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

/** Restores a deleted resource unchanged. Throws Conflict when another live resource has the same slug. */
export async function unmarkDeleted(tx: Tx, resource: Resource): Promise<void> {
  const { id, slug } = resource
  await execute(tx, 'update resources set deleted_at = null, updated_at = now() where id = $1', [id]).catch(
    slugError(slug),
  )
}

/** Another live resource of the same kind has the slug. */
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
