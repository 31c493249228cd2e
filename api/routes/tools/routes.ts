import type { ToolsService } from '../../../services/tools/types.ts'
import { page } from '../../routing/page.ts'
import { accepted, ok } from '../../routing/reply.ts'
import { defineRoute } from '../../routing/route.ts'
import type { Route } from '../../routing/route.ts'
import { errorBody } from '../../routing/schemas.ts'
import { closed } from '../../routing/closed.ts'
import { jobAccepted } from '../jobs/schemas.ts'
import * as schemas from './schemas.ts'

const tag = 'Tools'

/** The tools of all active reflexes, and direct calls of them. */
export function toolRoutes({ tools }: { tools: ToolsService }): Route[] {
  const list = defineRoute({
    method: 'get',
    path: '/v1/tools',
    summary: 'List the tools of all active reflexes',
    tag,
    auth: 'key',
    query: schemas.listQuery,
    responses: { 200: { description: 'A page of tools, by reflex', schema: schemas.toolPage } },
    async handler({ who, query }) {
      const { data, total } = await tools.list(who, query)
      return ok(page(data, total, query))
    },
  })

  const call = defineRoute({
    method: 'post',
    path: '/v1/tools/:name/call',
    summary: 'Call a tool',
    description: 'The call is a job. It is waited for 25 seconds; a tool that fails gives the code its job has.',
    tag,
    auth: 'key',
    params: schemas.toolParams,
    body: schemas.callBody,
    idempotent: true,
    responses: {
      200: { description: 'What the tool gave', schema: schemas.called },
      202: { description: 'The call takes longer', schema: jobAccepted },
      422: { description: 'The tool failed', schema: errorBody },
      502: { description: 'What the tool calls did not answer as it should', schema: errorBody },
      504: { description: 'The tool took too long', schema: errorBody },
    },
    async handler({ who, params, body, idempotency, ctx }) {
      const request = { name: params.name, reflex: body.reflex, arguments: body.arguments }
      const reply = await tools.call(who, request, { signal: closed(ctx.res), idempotency })
      return 'output' in reply ? ok(reply) : accepted(reply)
    },
  })

  return [list, call]
}
