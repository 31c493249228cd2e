import type { DocumentsService, IngestRequest } from '../../../services/documents/types.ts'
import { created, ok } from '../../routing/reply.ts'
import { defineRoute } from '../../routing/route.ts'
import type { Route } from '../../routing/route.ts'
import { downloadReply } from '../documents/download.ts'
import { ABOUT_DOWNLOAD, documentParams, downloadResponses, versionQuery } from '../documents/schemas.ts'
import { historyRoute, listRoute, readRoute, removeRoute, restoreRoute } from '../products/routes.ts'
import { pageQuery } from '../resources/schemas.ts'
import * as schemas from './schemas.ts'

const tag = 'Documents'
const params = documentParams

/** Routes of ingested documents. */
export function assetRoutes({ documents }: { documents: DocumentsService }): Route[] {
  const product = {
    path: '/v1/assets',
    tag,
    one: 'an asset',
    many: 'assets',
    says: { list: { summary: 'List assets, latest first' } },
    service: documents.assets,
    schemas: { view: schemas.asset, page: schemas.assetPage, filter: pageQuery },
  } as const

  const ingest = defineRoute({
    method: 'post',
    path: '/v1/assets/ingest',
    summary: 'Ingest a document',
    description:
      'Accepts text, Markdown, HTML, PDF, DOCX, CSV, JSON and audio (WAV, MP3, M4A, WebM, Ogg, FLAC). The text of audio is its transcript. The document is stored immediately and a job extracts its text. If that fails, `extraction` of the asset holds the reason. ' +
      'Ingesting the same bytes again (in the same brain, without `source_key`) returns the same asset. New bytes under the same `source_key` create its next version. ' +
      'Ingesting a document again retries a failed extraction.',
    tag,
    auth: 'key',
    body: schemas.ingestBody,
    form: schemas.ingestForm,
    idempotent: true,
    responses: {
      200: { description: 'The document is already stored', schema: schemas.ingested },
      201: { description: 'An asset, or a new version of it, was created', schema: schemas.ingested },
    },
    async handler({ principal, body, idempotency }) {
      const { asset, job_id, is_new } = await documents.ingest(principal, requestOf(body), idempotency)
      const reply = { asset, job_id }
      return is_new ? created(`/v1/assets/${asset.id}`, reply) : ok(reply)
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
    handler: async ({ principal, params, query, ctx }) =>
      downloadReply(ctx, await documents.content(principal, 'assets', params.id, query.version)),
  })

  return [
    ingest,
    listRoute(product),
    readRoute(product),
    content,
    removeRoute(product),
    restoreRoute(product),
    historyRoute(product),
  ]
}

type Body = Partial<Record<IngestRequest['from'], IngestRequest['content']>> & Omit<IngestRequest, 'content' | 'from'>

/** The schemas have seen to it that there is exactly one content. */
function requestOf({ text, content_base64, file, ...fields }: Body): IngestRequest {
  if (text) return { ...fields, content: text, from: 'text' }
  if (content_base64) return { ...fields, content: content_base64, from: 'content_base64' }
  if (file) return { ...fields, content: file, from: 'file' }
  throw new Error('a document without a content')
}
