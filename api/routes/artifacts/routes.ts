import type { DocumentsService } from '../../../services/documents/types.ts'
import type { ResourcesService } from '../../../services/resources/types.ts'
import { etag, expectedVersion } from '../../routing/if-match.ts'
import { page } from '../../routing/page.ts'
import { created, noContent, ok } from '../../routing/reply.ts'
import { defineRoute } from '../../routing/route.ts'
import type { Route } from '../../routing/route.ts'
import { downloadReply } from '../documents/download.ts'
import { ABOUT_DOWNLOAD, documentParams, downloadResponses, versionQuery } from '../documents/schemas.ts'
import { pageQuery, patchBody, versionPage } from '../resources/schemas.ts'
import * as schemas from './schemas.ts'

interface Deps {
  documents: DocumentsService
  resources: ResourcesService
}

const tag = 'Documents'
const params = documentParams
const theArtifact = { description: 'The artifact', schema: schemas.artifact }

/** Documents that are written here: texts with versions. */
export function artifactRoutes({ documents, resources }: Deps): Route[] {
  const list = defineRoute({
    method: 'get',
    path: '/v1/artifacts',
    summary: 'List artifacts, latest first',
    tag,
    auth: 'key',
    query: pageQuery,
    responses: { 200: { description: 'A page of artifacts', schema: schemas.artifactPage } },
    async handler({ who, query }) {
      const { data, total } = await documents.artifacts(who, query)
      return ok(page(data, total, query))
    },
  })

  const create = defineRoute({
    method: 'post',
    path: '/v1/artifacts',
    summary: 'Write an artifact',
    tag,
    auth: 'key',
    body: schemas.createBody,
    idempotent: true,
    responses: { 201: theArtifact },
    async handler({ who, body, idempotency }) {
      const artifact = await documents.createArtifact(who, body, idempotency)
      return created(`/v1/artifacts/${artifact.id}`, artifact)
    },
  })

  const read = defineRoute({
    method: 'get',
    path: '/v1/artifacts/:id',
    summary: 'Read an artifact, now or as it was',
    description: 'Its text is under `/content`.',
    tag,
    auth: 'key',
    params,
    query: versionQuery,
    responses: { 200: theArtifact },
    async handler({ who, params, query }) {
      const artifact = await documents.artifact(who, params.id, query.version)
      return ok(artifact, etag(artifact.version))
    },
  })

  const patch = defineRoute({
    method: 'patch',
    path: '/v1/artifacts/:id',
    summary: 'Change an artifact',
    description:
      'Makes the next version. Exactly one way says the change: `content` that of the text, `merge` and `ops` that of the rest, over the shape of the catalog (`/v1/resources/artifacts`).',
    tag,
    auth: 'key',
    params,
    body: patchBody,
    conditional: true,
    responses: { 200: theArtifact },
    async handler({ who, params, body, ctx }) {
      const expected_version = expectedVersion(ctx, body.expected_version)
      const artifact = await documents.patchArtifact(who, params.id, { ...body, expected_version })
      return ok(artifact, etag(artifact.version))
    },
  })

  const content = defineRoute({
    method: 'get',
    path: '/v1/artifacts/:id/content',
    summary: 'Download the text of an artifact',
    description: ABOUT_DOWNLOAD,
    tag,
    auth: 'key',
    params,
    query: versionQuery,
    responses: downloadResponses,
    handler: async ({ who, params, query, ctx }) =>
      downloadReply(ctx, await documents.content(who, 'artifacts', params.id, query.version)),
  })

  const remove = defineRoute({
    method: 'delete',
    path: '/v1/artifacts/:id',
    summary: 'Delete an artifact; it can be restored',
    tag,
    auth: 'key',
    params,
    responses: { 204: { description: 'Deleted' } },
    async handler({ who, params }) {
      await resources.remove(who, 'artifacts', params.id)
      return noContent()
    },
  })

  const restore = defineRoute({
    method: 'post',
    path: '/v1/artifacts/:id/restore',
    summary: 'Bring back a deleted artifact',
    tag,
    auth: 'key',
    params,
    responses: { 200: theArtifact },
    handler: async ({ who, params }) => ok(await documents.restoreArtifact(who, params.id)),
  })

  const history = defineRoute({
    method: 'get',
    path: '/v1/artifacts/:id/history',
    summary: 'List the versions of an artifact, latest first',
    tag,
    auth: 'key',
    params,
    query: pageQuery,
    responses: { 200: { description: 'A page of versions', schema: versionPage } },
    async handler({ who, params, query }) {
      const { data, total } = await resources.history(who, 'artifacts', params.id, query)
      return ok(page(data, total, query))
    },
  })

  return [list, create, read, patch, content, remove, restore, history]
}
