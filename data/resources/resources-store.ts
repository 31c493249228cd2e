import type { Tx } from '../shared/database.ts'
import { isDuplicate } from '../shared/database-errors.ts'
import { ResourceEntity, ResourceVersionEntity } from '../shared/entities/resources.ts'
import type { Resource, ResourceKind, ResourceVersion } from '../shared/entities/resources.ts'
import { findKeptDocument, keepDocument } from '../documents/kept-documents.ts'
import { createFilter, readPage, type Page } from '../shared/page.ts'
import type { Permission } from '../../domain/access/permissions.ts'
import { Conflict } from '../../domain/shared/errors.ts'
import { parseDocumentText, toDocumentText } from '../../domain/resources/document-text.ts'
import type { Delta } from '../../domain/resources/patching.ts'
import { isUuid } from '../../domain/shared/uuid.ts'

export type { Resource, ResourceKind, ResourceVersion } from '../shared/entities/resources.ts'

/** The brains whose resources are visible, besides resources without a brain. Null or undefined means all. */
export type Brains = string[] | null

export const COLUMNS = `id, brain_id, kind, slug, title, path, scope, is_active, version, revision, document,
  created_at, updated_at, deleted_at`

export interface Address {
  kind: ResourceKind
  /** An id, or the slug of a live resource. */
  idOrSlug: string
  brain_ids?: Brains
}

export type NewResource = Omit<Resource, 'version' | 'revision' | 'created_at' | 'updated_at' | 'deleted_at'>

/** The author, note and delta of a version. */
export interface Save {
  author: string
  /** What the author could do at the save. The runs of a gateway have their rights from here. */
  author_permissions: Permission[]
  note: string | null
  /** Null for the first version. */
  delta: Delta | null
}

/** Inserts a resource with version 1. Throws Conflict when a live resource of the kind has the slug. */
export async function insertResource(tx: Tx, resource: NewResource, save: Save): Promise<void> {
  await tx.insert(ResourceEntity, { ...resource, version: 1 }).catch(toSlugError(resource.slug))
  await insertVersion(tx, { ...resource, version: 1 }, save)
}

/** What a save gives a head. */
type Saved = Pick<Resource, 'version' | 'revision' | 'updated_at'>

/**
 * Saves the head as its next version and returns it; the caller holds the row lock (`lockResource`), so versions are
 * contiguous. The document is sent once. Throws Conflict when a live resource of the kind has the slug.
 */
export async function saveNextVersion(tx: Tx, head: Resource, save: Save): Promise<Resource> {
  const { id, brain_id, slug, title, path, scope, is_active, document } = head
  const [rows] = await tx
    .query<[Saved[], number]>(
      `update resources set brain_id = $2, slug = $3, title = $4, path = $5, scope = $6, is_active = $7, document = $8,
              version = version + 1, updated_at = now()
        where id = $1 returning version, revision, updated_at`,
      [id, brain_id, slug, title, path, scope, is_active, toDocumentText(document)],
    )
    .catch(toSlugError(slug))
  await tx.query(
    `insert into resource_versions (resource_id, version, slug, title, path, scope, brain_id, is_active, document, delta,
                                    author, author_permissions, note)
     select id, version, slug, title, path, scope, brain_id, is_active, document, $2, $3, $4, $5 from resources where id = $1`,
    [id, save.delta && JSON.stringify(save.delta), save.author, save.author_permissions, save.note],
  )
  const saved = { ...head, ...(rows[0] as Saved) }
  keepDocument(saved)
  return saved
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
const COLUMNS_WITH_TEXT = COLUMNS.replace(
  'document,',
  'case when revision = $5 then null else document::text end as document,',
)

async function selectHead(tx: Tx, address: Address, deleted: boolean, lock: string): Promise<Resource | undefined> {
  const kept = findKeptDocument(address.idOrSlug)
  const [found] = await tx.query<(Omit<Resource, 'document'> & { document: string | null })[]>(
    `select ${COLUMNS_WITH_TEXT} from resources
      where kind = $1 and ${isUuid(address.idOrSlug) ? 'id' : 'slug'} = $2
        and ($3::uuid[] is null or brain_id is null or brain_id = any($3))
        and (deleted_at is null or $4 and purged_at is null)
      order by deleted_at desc nulls first limit 1 ${lock}`,
    [address.kind, address.idOrSlug, address.brain_ids ?? null, deleted, kept?.revision ?? null],
  )
  if (!found) return undefined
  const document = found.document === null ? (kept as Resource).document : parseDocumentText(found.document)
  const head = { ...found, document }
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
  const query = { columns: COLUMNS, from: 'resources', order: 'created_at desc, id desc', limit, offset }
  return readPage<Resource>(tx, query, conditions)
}

export async function findVersion(tx: Tx, id: string, version: number): Promise<ResourceVersion | undefined> {
  return (await tx.findOneBy(ResourceVersionEntity, { resource_id: id, version })) ?? undefined
}

/** Returns what the author of a version could do when saving it. */
export async function findAuthorPermissions(
  tx: Tx,
  { id, version }: Pick<Resource, 'id' | 'version'>,
): Promise<Permission[]> {
  return (await findVersion(tx, id, version))?.author_permissions ?? []
}

/** A line of the history: how a version came to be. */
export type VersionLine = Pick<ResourceVersion, 'version' | 'delta' | 'author' | 'note' | 'created_at'>

/** Returns a page of the history, newest first. */
export async function listVersions(
  tx: Tx,
  id: string,
  page: { limit: number; offset: number },
): Promise<Page<VersionLine>> {
  const conditions = createFilter()
  conditions.where('resource_id = ?', id)
  const columns = 'version, delta, author, note, created_at'
  return readPage(tx, { columns, from: 'resource_versions', order: 'version desc', ...page }, conditions)
}

export async function markDeleted(tx: Tx, id: string): Promise<void> {
  await tx.update(ResourceEntity, { id }, { deleted_at: () => 'now()', updated_at: () => 'now()' })
}

/** Restores a deleted resource unchanged. Throws Conflict when another live resource has its slug. */
export async function unmarkDeleted(tx: Tx, resource: Resource): Promise<void> {
  const { id, slug } = resource
  await tx.update(ResourceEntity, { id }, { deleted_at: null, updated_at: () => 'now()' }).catch(toSlugError(slug))
}

async function insertVersion(tx: Tx, head: NewResource & { version: number }, save: Save): Promise<void> {
  const { id: resource_id, version, slug, title, path, scope, brain_id, is_active, document } = head
  const fields = { version, slug, title, path, scope, brain_id, is_active, document }
  await tx.insert<object>(ResourceVersionEntity, { resource_id, ...fields, ...save })
}

/** A live resource of the kind already has the slug. */
export class SlugTaken extends Conflict {
  readonly slug: string

  constructor(slug: string) {
    super(`The slug "${slug}" is taken`)
    this.slug = slug
  }
}

const toSlugError =
  (slug: string) =>
  (error: unknown): never => {
    if (isDuplicate(error, 'resources_live_source')) throw new Conflict('Another live asset has this source_key')
    throw isDuplicate(error, 'resources_live_slug') ? new SlugTaken(slug) : error
  }
