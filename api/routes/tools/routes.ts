import { z } from 'zod'
import { errorBody } from '../../../contract/shared/error.ts'
import { jobState } from '../../../contract/runs/control.ts'
import * as schemas from '../../../contract/tools/tool.ts'
import { pageQuery } from '../../../contract/shared/query.ts'
import { line } from '../../../contract/shared/text.ts'
import { allowReaders, allowWriters } from '../../routing/access.ts'
import { page } from '../../routing/page.ts'
import { accepted, ok } from '../../routing/reply.ts'
import { defineRoute, type Route } from '../../routing/route.ts'
import { createDisconnectSignal } from '../../routing/closed.ts'
import type { ToolsService } from '../../../services/tools/tools.ts'

const toolParams = z.object({ name: line(64).meta({ description: 'Name of the tool' }) })

const tag = 'Tools'

/** Routes for the tools of all active reflexes, and direct tool calls. */
export function toolRoutes({ tools }: { tools: ToolsService }): Route[] {
  const list = defineRoute({
    name: 'tools.list',
    method: 'get',
    path: '/v1/tools',
    summary: 'List tools',
    tag,
    access: allowReaders('resources:read'),
    query: pageQuery,
    responses: { 200: { description: 'A page of tools, ordered by reflex', schema: schemas.toolPage } },
    async handler({ principal, query }) {
      const { data, total } = await tools.list(principal, query)
      return ok(page(data, total, query))
    },
  })

  const call = defineRoute({
    name: 'tools.call',
    method: 'post',
    path: '/v1/tools/:name/call',
    summary: 'Call a tool',
    description:
      "The call runs as a job. Returns 202 if the call takes longer than 25 seconds. If the tool fails, the response contains the job's error code.",
    tag,
    access: allowWriters('tools:call'),
    params: toolParams,
    body: schemas.callBody,
    idempotent: true,
    responses: {
      200: { description: 'The output of the tool', schema: schemas.toolOutput },
      202: { description: 'The call is still in progress', schema: jobState },
      422: { description: 'The tool failed', schema: errorBody },
      502: {
        description: "The tool's server sent an invalid response or did not respond in time",
        schema: errorBody,
      },
    },
    async handler({ principal, params, body, idempotency, ctx }) {
      const request = { name: params.name, reflex: body.reflex, arguments: body.arguments }
      const reply = await tools.call(principal, request, { signal: createDisconnectSignal(ctx.res), idempotency })
      return 'output' in reply ? ok(reply) : accepted(reply)
    },
  })

  return [list, call]
}
