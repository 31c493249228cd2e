import { z } from 'zod'
import { errorBody } from '../../../contract/shared/error.ts'
import { pageQuery } from '../../../contract/shared/query.ts'
import * as schemas from '../../../contract/tools/mcp-toolkit.ts'
import { line } from '../../../contract/shared/text.ts'
import { allowSessions } from '../../routing/access.ts'
import { etag, expectedVersion } from '../../routing/if-match.ts'
import { page } from '../../routing/page.ts'
import { noContent, ok } from '../../routing/reply.ts'
import { defineRoute } from '../../routing/route.ts'
import type { Route } from '../../routing/route.ts'
import type { McpToolkits } from '../../../services/tools/mcp-toolkits.ts'

const params = z.object({ id: line().meta({ description: 'Id or slug of the toolkit' }) })

const tag = 'Tools'
const path = '/v1/mcp-toolkits'
const toRead = allowSessions('resources:read')
const toWrite = allowSessions('resources:write')
const detail = { description: 'The toolkit', schema: schemas.toolkitDetail }
const conflict = {
  409: {
    description: 'The slug is already used, or the workspace has reached its maximum number of toolkits',
    schema: errorBody,
  },
}

/** Routes for toolkits, which offer pathways and neurons to MCP clients. Signed-in users create them. */
export function mcpToolkitRoutes({ mcpToolkits }: { mcpToolkits: McpToolkits }): Route[] {
  const list = defineRoute({
    name: 'mcpToolkits.list',
    method: 'get',
    path,
    summary: 'List toolkits, oldest first',
    tag,
    access: toRead,
    query: pageQuery,
    responses: { 200: { description: 'A page of toolkits', schema: schemas.toolkitPage } },
    async handler({ principal, query }) {
      const { data, total } = await mcpToolkits.list(principal, query)
      return ok(page(data, total, query))
    },
  })

  const create = defineRoute({
    name: 'mcpToolkits.create',
    method: 'post',
    path,
    summary: 'Create a toolkit',
    tag,
    access: toWrite,
    body: schemas.toolkitBody,
    responses: { 201: detail, ...conflict },
    async handler({ principal, body }) {
      const toolkit = await mcpToolkits.create(principal, body)
      return { status: 201, body: toolkit, headers: { Location: `${path}/${toolkit.id}`, ...etag(toolkit.version) } }
    },
  })

  const read = defineRoute({
    name: 'mcpToolkits.get',
    method: 'get',
    path: `${path}/:id`,
    summary: 'Read a toolkit',
    tag,
    access: toRead,
    params,
    responses: { 200: detail },
    async handler({ principal, params }) {
      const toolkit = await mcpToolkits.read(principal, params.id)
      return ok(toolkit, etag(toolkit.version))
    },
  })

  const replace = defineRoute({
    name: 'mcpToolkits.replace',
    method: 'put',
    path: `${path}/:id`,
    summary: 'Update a toolkit',
    tag,
    access: toWrite,
    params,
    conditional: true,
    body: schemas.toolkitBody,
    responses: { 200: detail },
    async handler({ principal, params, body, ctx }) {
      const toolkit = await mcpToolkits.replace(principal, params.id, body, expectedVersion(ctx, undefined))
      return ok(toolkit, etag(toolkit.version))
    },
  })

  const remove = defineRoute({
    name: 'mcpToolkits.delete',
    method: 'delete',
    effect: 'stop',
    path: `${path}/:id`,
    summary: 'Delete a toolkit',
    tag,
    access: toWrite,
    params,
    responses: { 204: { description: 'Deleted' } },
    async handler({ principal, params }) {
      await mcpToolkits.remove(principal, params.id)
      return noContent()
    },
  })

  return [list, create, read, replace, remove]
}
