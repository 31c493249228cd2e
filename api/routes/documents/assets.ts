import { z } from 'zod'
import { AppError } from '../../../domain/shared/errors.ts'
import { READABLE_AUDIO } from '../../../domain/speech/audio.ts'
import { pageQuery } from '../../../contract/shared/query.ts'
import * as schemas from '../../../contract/documents/asset.ts'
import { documentParams } from '../../../contract/documents/document.ts'
import { versionQuery } from '../../../contract/resources/product.ts'
import { allowReaders, allowWriters } from '../../routing/access.ts'
import { created, ok, type Reply } from '../../routing/reply.ts'
import { defineRoute } from '../../routing/route.ts'
import type { Route } from '../../routing/route.ts'
import { downloadReply, ABOUT_DOWNLOAD, downloadResponses } from './download.ts'
import {
  diffRoute,
  historyRoute,
  listRoute,
  readRoute,
  removeRoute,
  restoreRoute,
  usersRoute,
} from '../resources/products.ts'
import type { DocumentsService } from '../../../services/documents/documents.ts'
import type { Ingested, IngestRequest } from '../../../services/documents/ingest.ts'

const tag = 'Documents'
const params = documentParams

/** Routes for ingested documents. */
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
    name: 'assets.ingest',
    method: 'post',
    path: '/v1/assets/ingest',
    summary: 'Ingest a document',
    description:
      `Accepts text, Markdown, HTML, PDF, DOCX, XLSX, EML, CSV, JSON and audio (${READABLE_AUDIO}). ` +
      'Images, video, archives and other Office files are stored without text. Audio is transcribed. The ' +
      'document is stored immediately. Plain text, Markdown, CSV and JSON up to 1 MB are read at once. For ' +
      'other documents, a job extracts the text. If extraction fails, `extraction` of the asset contains ' +
      'the reason. Within a brain, `source_key` identifies a document. Without `source_key`, folder and ' +
      'file name identify it; without a file name, folder and bytes do. Sending the same file again has no ' +
      'effect. Changed bytes create a new version. Changes to `title`, `description`, `metadata` or the ' +
      'type also create one, and so do changes to `path` and `file_name` with a `source_key`. `updated` ' +
      'lists the changed fields; omitted fields keep their values. The same bytes in another folder or ' +
      'under another name are another document. Ingesting a document again retries a failed extraction. A ' +
      'batch `{documents}` contains up to 100 documents, which are ingested in order. The response has one ' +
      'result per document, with the `status` that a separate request would return. A ' +
      'failure that is not caused by a document ends the batch with 500 or 503. You can repeat the batch.',
    tag,
    access: allowWriters('resources:write'),
    body: schemas.ingestBody,
    form: schemas.ingestForm,
    batch: schemas.ingestBatch,
    idempotent: true,
    responses: {
      200: {
        description:
          'The document already exists with these bytes, and `updated` lists the other fields that changed. For a batch: all documents are stored.',
        schema: z.union([schemas.ingested, schemas.ingestedBatch]).meta({ id: 'IngestReply' }),
      },
      201: { description: 'The asset, or a new version of it, was created', schema: schemas.ingested },
      207: { description: 'Some documents in the batch were rejected', schema: schemas.ingestedBatch },
    },
    async handler({ principal, body, idempotency }) {
      if ('documents' in body)
        return batchReply(await documents.ingestBatch(principal, body.documents.map(buildIngestRequest), idempotency))
      const { is_new, ...reply } = await documents.ingest(principal, requestOf(body), idempotency)
      const { asset } = reply
      return is_new ? created(`/v1/assets/${asset.id}`, reply) : ok(reply)
    },
  })

  const content = defineRoute({
    name: 'assets.content',
    method: 'get',
    path: '/v1/assets/:id/content',
    summary: 'Download an asset',
    description: ABOUT_DOWNLOAD,
    tag,
    access: allowReaders('resources:read'),
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
    usersRoute(product),
    diffRoute(product),
  ]
}

type Body = Partial<Record<IngestRequest['from'], IngestRequest['content']>> & Omit<IngestRequest, 'content' | 'from'>

/** Returns the request for the service. The schemas guarantee that the body has exactly one content field. */
function requestOf({ text, content_base64, file, ...fields }: Body): IngestRequest {
  if (text) return { ...fields, content: text, from: 'text' }
  if (content_base64) return { ...fields, content: content_base64, from: 'content_base64' }
  if (file) return { ...fields, content: file, from: 'file' }
  throw new Error('document without content')
}

const buildIngestRequest = (document: Body | AppError): IngestRequest | AppError =>
  document instanceof AppError ? document : requestOf(document)

function batchReply(results: (Ingested | AppError)[]): Reply {
  const refused = results.some(result => result instanceof AppError)
  return { status: refused ? 207 : 200, body: { results: results.map(presentResult) } }
}

function presentResult(result: Ingested | AppError): object {
  if (!(result instanceof AppError)) {
    const { is_new, ...reply } = result
    return { status: is_new ? 201 : 200, ...reply }
  }
  const { status, message, code, details, retryAfter } = result
  return { status, message, code, details, retryAfter }
}
