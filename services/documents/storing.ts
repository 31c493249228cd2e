import { randomUUIDv7 } from 'node:crypto'
import { findAssetId, lockAsset } from '../../data/documents/assets-store.ts'
import { saveContent } from '../../data/documents/contents-store.ts'
import type { Tx } from '../../data/shared/database.ts'
import { findResource, insertResource, type Resource, saveNextVersion } from '../../data/resources/resources-store.ts'
import { formatReadType } from '../../domain/documents/documents.ts'
import { ROOT } from '../../domain/resources/paths.ts'
import type { Principal } from '../../domain/access/principal.ts'
import { checkEditable } from '../../domain/resources/checking.ts'
import type { Document } from '../../domain/resources/kind.ts'
import type { AssetDocument } from '../../domain/resources/kinds/assets.ts'
import { getResourceKind } from '../../domain/resources/kinds/index.ts'
import { computeDelta } from '../../domain/resources/patching.ts'
import { deriveSlug, createUniqueSlug } from '../../domain/shared/text/slug.ts'
import { checkWritable } from '../access/brains.ts'
import { auditResource } from '../resources/audit.ts'
import { getAuthorFields } from '../resources/author.ts'
import { lockHead, getHead } from '../resources/finding.ts'
import { placeNew } from '../resources/placing.ts'
import { buildChangedResource, toEditable, buildResource, type Validation } from '../resources/saving.ts'
import type { InspectedDocument } from './inspect.ts'
import type { Ingested, IngestRequest } from './ingest.ts'

const KIND = getResourceKind('assets')
/** The document's metadata is short enough to be checked in this process. */
const CHECKS: Validation = { check: (_principal, fields, kind) => checkEditable(fields, kind), rules: {} }

export interface StoredAsset extends Pick<Ingested, 'is_new' | 'updated'> {
  asset: Resource
  /** Whether the bytes or their type changed. */
  is_unread: boolean
}

/**
 * Stores a document as an asset. If the fields or bytes of an existing document change, creates its next version.
 * Existing documents are identified by source, or by folder and name. Unchanged documents stay as they are. If
 * requests for the same document run concurrently, one request stores the document and the others wait for it.
 */
export async function storeDocument(
  tx: Tx,
  principal: Principal,
  request: IngestRequest,
  inspected: InspectedDocument,
): Promise<StoredAsset> {
  const { sha256 } = request.content
  const brain_id = placeNew(principal, request).brain_id?.toLowerCase() ?? null
  checkWritable(principal, brain_id)
  const identity = { brain_id, ...identify(request) }
  const [, assetId] = await Promise.all([
    lockAsset(tx, principal.workspace_id, identity),
    findAssetId(tx, identity, sha256),
  ])
  if (assetId === undefined) {
    const asset = await insertAsset(tx, principal, { ...request, brain_id }, inspected)
    return { asset, is_new: true, is_unread: true, updated: [] }
  }
  return updateAsset(tx, principal, assetId, request, inspected)
}

function identify({ source_key, path = ROOT, file_name, content: { sha256 } }: IngestRequest) {
  if (source_key !== undefined) return { source_key }
  return file_name === undefined ? { path, sha256 } : { path, file_name }
}

async function insertAsset(
  tx: Tx,
  principal: Principal,
  request: IngestRequest,
  inspected: InspectedDocument,
): Promise<Resource> {
  const id = randomUUIDv7()
  const { path, brain_id, description, source_key, metadata, content } = request
  const { title } = inspected
  const document = { description, source_key, metadata, ...buildContentFields(request, inspected) }
  const slug = await findFreeSlug(tx, deriveSlug(title, KIND.singular, id), id)
  const asset = await buildResource(tx, principal, id, KIND, { title, slug, path, brain_id, document }, CHECKS)
  await Promise.all([
    saveContent(tx, content),
    insertResource(tx, asset, { ...getAuthorFields(principal), note: null, delta: null }),
  ])
  const [head] = await Promise.all([
    getHead(tx, principal, { kind: 'assets', idOrSlug: id }),
    auditResource(tx, principal, 'create', { after: { ...asset, version: 1 } }),
  ])
  return head
}

/**
 * Fields that the request omits keep their values, including the title. Unchanged bytes keep their type if the
 * request omits it.
 */
async function updateAsset(
  tx: Tx,
  principal: Principal,
  id: string,
  request: IngestRequest,
  inspected: InspectedDocument,
): Promise<StoredAsset> {
  const head = await lockHead(tx, principal, { kind: 'assets', idOrSlug: id })
  const before = toEditable(head)
  const old = head.document as AssetDocument
  const is_new = old.sha256 !== request.content.sha256
  const { title = head.title, path = head.path, description = old.description, metadata = old.metadata } = request
  const { file_name = old.file_name } = request
  const { charset: _, ...keptFields } = old
  const newDocument = {
    ...keptFields,
    ...(is_new ? buildContentFields(request, inspected) : namedType(old, inspected)),
  }
  const is_unread = is_new || formatReadType(newDocument) !== formatReadType(old)
  const document: Document = { ...newDocument, description, metadata, file_name }
  const next = await buildChangedResource(
    tx,
    principal,
    KIND,
    head,
    { ...before, title, path, document },
    CHECKS,
    undefined,
  )
  const delta = computeDelta(before, toEditable(next))
  if (delta.changed.length === 0) return { asset: head, is_new, is_unread, updated: [] }
  if (is_new) await saveContent(tx, request.content)
  const asset = await saveNextVersion(tx, next, { ...getAuthorFields(principal), note: null, delta })
  await auditResource(tx, principal, 'update', { before: head, after: asset })
  return { asset, is_new, is_unread, updated: delta.changed }
}

type StoredType = Pick<AssetDocument, 'media_type' | 'charset'>

/** Returns the type for the stored bytes: the existing type, unless the request names another type or charset. */
function namedType(old: StoredType, { media_type, charset, claimed }: InspectedDocument): StoredType {
  const isOther = (claimed.media_type && media_type !== old.media_type) || (claimed.charset && charset !== old.charset)
  const type = isOther ? { media_type, charset } : old
  return { media_type: type.media_type, ...(type.charset && { charset: type.charset }) }
}

function buildContentFields({ content, file_name }: IngestRequest, { media_type, charset }: InspectedDocument) {
  const { bytes, sha256 } = content
  return { media_type, ...(charset && { charset }), size: bytes.byteLength, sha256, ...(file_name && { file_name }) }
}

/** Checks before the insert, because a retry would send the entire content again. */
async function findFreeSlug(tx: Tx, slug: string, id: string): Promise<string> {
  const holder = await findResource(tx, { kind: 'assets', idOrSlug: slug })
  return holder ? createUniqueSlug(slug, id) : slug
}
