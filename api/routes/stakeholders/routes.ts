import { z } from 'zod'
import { indexNames } from '../../../domain/stakeholders/briefing.ts'
import { renderBriefingMarkdown, renderDiffMarkdown, renderMapMarkdown } from '../../../domain/stakeholders/markdown.ts'
import type { PictureFormat } from '../../../domain/stakeholders/picture.ts'
import { jobAccepted } from '../../../contract/runs/control.ts'
import { errorBody } from '../../../contract/shared/error.ts'
import * as resources from '../../../contract/resources/resource.ts'
import * as schemas from '../../../contract/stakeholders/map.ts'
import { briefingQuery, stakeholderBriefing } from '../../../contract/stakeholders/briefing.ts'
import { extractBody } from '../../../contract/stakeholders/extraction.ts'
import { line } from '../../../contract/shared/text.ts'
import { allowReaders, allowWriters } from '../../routing/access.ts'
import { createDisconnectSignal } from '../../routing/closed.ts'
import { accepted, ok, type Reply } from '../../routing/reply.ts'
import { defineRoute, type Route } from '../../routing/route.ts'
import type { StakeholdersService } from '../../../services/stakeholders/stakeholders.ts'
import type { AppContext } from '../../routing/state.ts'

const nodeParams = z.object({ node_id: line().meta({ description: 'Id of the stakeholder in the map' }) })

const tag = 'Stakeholders'
const access = allowReaders('resources:read')

const notFound = {
  404: {
    description: 'The map, the version or the stakeholder does not exist, or the brain has no default map',
    schema: errorBody,
  },
}

const PICTURE_TYPES: Record<PictureFormat, string> = {
  svg: 'image/svg+xml',
  mermaid: 'text/plain',
  graphml: 'application/xml',
}

/**
 * Routes that read stakeholder maps, and start runs that propose changes. Maps are written through the catalog
 * routes.
 */
export function stakeholderRoutes({ stakeholders }: { stakeholders: StakeholdersService }): Route[] {
  const latest = defineRoute({
    name: 'stakeholders.latest',
    method: 'get',
    path: '/v1/stakeholders/latest',
    summary: 'Read a stakeholder map',
    tag,
    access,
    query: schemas.mapQuery,
    responses: {
      200: { description: 'The map, as JSON or Markdown', schema: resources.resource, textTypes: [MARKDOWN] },
      ...notFound,
    },
    async handler({ principal, query, ctx }) {
      const { head, map } = await stakeholders.latest(principal, query.resource_id)
      return markdownReply(ctx, query.format, head, () =>
        renderMapMarkdown({ ...map, title: head.title, version: head.version }, indexNames(map)),
      )
    },
  })

  const diff = defineRoute({
    name: 'stakeholders.diff',
    method: 'get',
    path: '/v1/stakeholders/diff',
    summary: 'Compare stakeholder map versions',
    description:
      'Returns the people and relations that were added, removed or changed, both field by field and in sentences.',
    tag,
    access,
    query: schemas.mapDiffQuery,
    responses: {
      200: { description: 'The differences, as JSON or Markdown', schema: schemas.mapDiff, textTypes: [MARKDOWN] },
      ...notFound,
    },
    async handler({ principal, query, ctx }) {
      const mapDiff = await stakeholders.diff(principal, query, query.resource_id)
      const { title, from, to } = mapDiff
      return markdownReply(ctx, query.format, mapDiff, () => renderDiffMarkdown(title, from, to, mapDiff))
    },
  })

  const briefing = defineRoute({
    name: 'stakeholders.briefing',
    method: 'get',
    path: '/v1/stakeholders/:node_id/briefing',
    summary: 'Read a stakeholder briefing',
    description:
      "Returns the stakeholder's attributes, relations in both directions, and changes with their times. Also lists documents and meetings that mention the person, and the person's open interventions.",
    tag,
    access,
    params: nodeParams,
    query: briefingQuery,
    responses: {
      200: { description: 'The briefing, as JSON or Markdown', schema: stakeholderBriefing, textTypes: [MARKDOWN] },
    },
    async handler({ principal, params, query, ctx }) {
      const { resource_id, paths_to = [], written: wantsText = false, format } = query
      const request = { node_id: params.node_id, resource_id, paths_to, written: wantsText }
      const result = await stakeholders.briefing(principal, request, createDisconnectSignal(ctx.res))
      return markdownReply(ctx, format, result, () => renderBriefingMarkdown(result))
    },
  })

  const picture = defineRoute({
    name: 'stakeholders.graph',
    method: 'get',
    path: '/v1/stakeholders/graph.svg',
    summary: 'Draw a stakeholder map',
    description:
      'Returns an SVG image for light and dark color schemes, or the graph as Mermaid or GraphML. Colors represent stance and sizes represent influence. With `diff`, changes are marked.',
    tag,
    access,
    query: schemas.pictureQuery,
    responses: {
      200: {
        description: 'The diagram',
        schema: z.string(),
        mediaType: PICTURE_TYPES.svg,
        textTypes: [PICTURE_TYPES.mermaid, PICTURE_TYPES.graphml],
      },
      ...notFound,
    },
    async handler({ principal, query }) {
      const body = await stakeholders.picture(principal, query)
      return {
        status: 200,
        body,
        headers: {
          'Content-Type': `${PICTURE_TYPES[query.format]}; charset=utf-8`,
          'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        },
      }
    },
  })

  const extract = defineRoute({
    name: 'stakeholders.extract',
    method: 'post',
    path: '/v1/stakeholders/extract',
    summary: 'Propose stakeholder map changes',
    description:
      'Starts a run that analyzes a document, a transcript or a text. A model finds people and relations, and an approval shows the proposed changes. Approved changes create the next version. If the map has changed in the meantime, the run fails with CONFLICT.',
    tag,
    access: allowWriters('jobs:start'),
    body: extractBody,
    idempotent: true,
    responses: { 202: { description: 'The run was accepted', schema: jobAccepted }, ...notFound },
    handler: async ({ principal, body, idempotency }) =>
      accepted(await stakeholders.extract(principal, body, idempotency)),
  })

  return [latest, diff, briefing, picture, extract]
}

const MARKDOWN = 'text/markdown'

/** Returns JSON, or Markdown if the query or the `Accept` header asks for it. */
function markdownReply(
  ctx: AppContext,
  format: 'json' | 'markdown' | undefined,
  body: unknown,
  render: () => string,
): Reply {
  const asMarkdown =
    format === undefined ? ctx.accepts(['application/json', MARKDOWN]) === MARKDOWN : format === 'markdown'
  const vary = { Vary: 'Accept' }
  return asMarkdown
    ? { status: 200, body: render(), headers: { ...vary, 'Content-Type': `${MARKDOWN}; charset=utf-8` } }
    : ok(body, vary)
}
