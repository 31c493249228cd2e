import * as schemas from '../../../contract/documents/artifact.ts'
import { folderQuery, resourcePatch } from '../../../contract/resources/resource.ts'
import { documentParams } from '../../../contract/documents/document.ts'
import { versionQuery } from '../../../contract/resources/product.ts'
import { allowReaders } from '../../routing/access.ts'
import { defineRoute } from '../../routing/route.ts'
import type { Route } from '../../routing/route.ts'
import { downloadReply, ABOUT_DOWNLOAD, downloadResponses } from './download.ts'
import { productRoutes } from '../resources/products.ts'
import type { DocumentsService } from '../../../services/documents/documents.ts'

const tag = 'Documents'
const params = documentParams

/** Routes for artifacts: versioned documents that people and neurons write. */
export function artifactRoutes({ documents }: { documents: DocumentsService }): Route[] {
  const content = defineRoute({
    name: 'artifacts.content',
    method: 'get',
    path: '/v1/artifacts/:id/content',
    summary: 'Download an artifact',
    description: ABOUT_DOWNLOAD,
    tag,
    access: allowReaders('resources:read'),
    params,
    query: versionQuery,
    responses: downloadResponses,
    handler: async ({ principal, params, query, ctx }) =>
      downloadReply(ctx, await documents.content(principal, 'artifacts', params.id, query.version)),
  })

  return [
    ...productRoutes({
      path: '/v1/artifacts',
      tag,
      one: 'an artifact',
      many: 'artifacts',
      text: true,
      says: {
        list: { summary: 'List artifacts, latest first' },
        create: { summary: 'Create an artifact', description: undefined },
        read: { description: 'Use `/v1/artifacts/{id}/content` to read the text.' },
        patch: {
          description:
            'Creates a new version. Send exactly one of `content`, `merge` and `ops`. `content` changes the text. `merge` and `ops` change the other fields, which have the same names as in `/v1/resources/artifacts`.',
        },
      },
      service: documents.artifacts,
      schemas: {
        create: schemas.artifactBody,
        patch: resourcePatch,
        view: schemas.artifact,
        page: schemas.artifactPage,
        filter: folderQuery,
      },
    }),
    content,
  ]
}
