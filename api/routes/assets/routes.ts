import type { DocumentsService, IngestRequest } from '../../../services/documents/types.ts'
import type { ResourcesService } from '../../../services/resources/types.ts'
import { etag } from '../../routing/if-match.ts'
import { page } from '../../routing/page.ts'
import { created, noContent, ok } from '../../routing/reply.ts'
import { defineRoute } from '../../routing/route.ts'
import type { Route } from '../../routing/route.ts'
import { downloadReply } from '../documents/download.ts'
import { ABOUT_DOWNLOAD, documentParams, downloadResponses, versionQuery } from '../documents/schemas.ts'
import { pageQuery, versionPage } from '../resources/schemas.ts'
import * as schemas from './schemas.ts'

interface Deps {
  documents: DocumentsService
  resources: ResourcesService
}

const tag = 'Documents'
const params = documentParams
const theAsset = { description: 'The asset', schema: schemas.asset }

/** Documents from elsewhere: taken in, read in the background, kept as they came. */
export function assetRoutes({ documents, resources }: Deps): Route[] {
  const ingest = defineRoute({
    method: 'post',
    path: '/v1/assets/ingest',
    summary: 'Ingest a document',
    description:
      'Takes text, Markdown, HTML, PDF, DOCX, CSV, JSON and audio (WAV, MP3, M4A, WebM, Ogg, FLAC), of which the text is what is said. The document is kept at once and read by the job; when it cannot be read, `extraction` of the asset says why. ' +
      'The same bytes again (in the same brain, without `source_key`) give the same asset; new bytes under the same `source_key` make its next version. ' +
      'What failed to be read is tried again when it is ingested again.',
    tag,
    auth: 'key',
    body: schemas.ingestBody,
    form: schemas.ingestForm,
    idempotent: true,
    responses: {
      200: { description: 'The document was here already', schema: schemas.ingested },
      201: { description: 'An asset, or the next version of one, was made', schema: schemas.ingested },
    },
    async handler({ who, body, idempotency }) {
      const { asset, job_id, is_new } = await documents.ingest(who, requestOf(body), idempotency)
      const reply = { asset, job_id }
      return is_new ? created(`/v1/assets/${asset.id}`, reply) : ok(reply)
    },
  })

  const list = defineRoute({
    method: 'get',
    path: '/v1/assets',
    summary: 'List assets, latest first',
    tag,
    auth: 'key',
    query: pageQuery,
    responses: { 200: { description: 'A page of assets', schema: schemas.assetPage } },
    async handler({ who, query }) {
      const { data, total } = await documents.assets(who, query)
      return ok(page(data, total, query))
    },
  })

  const read = defineRoute({
    method: 'get',
    path: '/v1/assets/:id',
    summary: 'Read an asset, now or as it was',
    tag,
    auth: 'key',
    params,
    query: versionQuery,
    responses: { 200: theAsset },
    async handler({ who, params, query }) {
      const asset = await documents.asset(who, params.id, query.version)
      return ok(asset, etag(asset.version))
    },
  })

  const content = defineRoute({
    method: 'get',
    path: '/v1/assets/:id/content',
    summary: 'Download the bytes of an asset',
    description: ABOUT_DOWNLOAD,
    tag,
    auth: 'key',
    params,
    query: versionQuery,
    responses: downloadResponses,
    handler: async ({ who, params, query, ctx }) =>
      downloadReply(ctx, await documents.content(who, 'assets', params.id, query.version)),
  })

  const remove = defineRoute({
    method: 'delete',
    path: '/v1/assets/:id',
    summary: 'Delete an asset; it can be restored',
    tag,
    auth: 'key',
    params,
    responses: { 204: { description: 'Deleted' } },
    async handler({ who, params }) {
      await resources.remove(who, 'assets', params.id)
      return noContent()
    },
  })

  const restore = defineRoute({
    method: 'post',
    path: '/v1/assets/:id/restore',
    summary: 'Bring back a deleted asset',
    tag,
    auth: 'key',
    params,
    responses: { 200: theAsset },
    handler: async ({ who, params }) => ok(await documents.restoreAsset(who, params.id)),
  })

  const history = defineRoute({
    method: 'get',
    path: '/v1/assets/:id/history',
    summary: 'List the versions of an asset, latest first',
    tag,
    auth: 'key',
    params,
    query: pageQuery,
    responses: { 200: { description: 'A page of versions', schema: versionPage } },
    async handler({ who, params, query }) {
      const { data, total } = await resources.history(who, 'assets', params.id, query)
      return ok(page(data, total, query))
    },
  })

  return [ingest, list, read, content, remove, restore, history]
}

type Body = Partial<Record<IngestRequest['from'], IngestRequest['content']>> & Omit<IngestRequest, 'content' | 'from'>

/** The schemas have seen to it that there is exactly one content. */
function requestOf({ text, content_base64, file, ...fields }: Body): IngestRequest {
  if (text) return { ...fields, content: text, from: 'text' }
  if (content_base64) return { ...fields, content: content_base64, from: 'content_base64' }
  if (file) return { ...fields, content: file, from: 'file' }
  throw new Error('a document without a content')
}
