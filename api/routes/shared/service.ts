import type { Context } from 'koa'
import { z } from 'zod'
import type { Principal } from '../../../domain/access/principal.ts'
import { errorBody } from '../../../contract/shared/error.ts'
import * as schemas from '../../../contract/shared/health.ts'
import { settings as settingsSchema, type Settings } from '../../../contract/shared/settings.ts'
import type { UsageService } from '../../../services/access/usage/usage.ts'
import { readReferenceScript, referencePage } from '../../openapi/reference.ts'
import type { ServedDocument } from '../../openapi/served-document.ts'
import { allowAll, allowAnyone, allowReaders } from '../../routing/access.ts'
import { negotiateGzip } from '../../routing/gzip.ts'
import { ok } from '../../routing/reply.ts'
import type { Reply } from '../../routing/reply.ts'
import { defineRoute } from '../../routing/route.ts'
import type { Route } from '../../routing/route.ts'
import type { Health, ReadHealth, RequiredComponent } from './health.ts'

interface Deps {
  health: ReadHealth
  /** Returns the required components that are down. */
  readMissing: () => Promise<RequiredComponent[]>
  /** Whether the process is shutting down. */
  isStopping: () => boolean
  stuckRuns: (principal: Principal) => Promise<number | undefined>
  indexFailures: (principal: Principal) => Promise<number | undefined>
  version: string
  settings: Settings
  /** Returns the OpenAPI document of all routes. */
  describe: () => Promise<ServedDocument>
}

const tag = 'Service'
const referenceHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': referencePage.policy,
}

/** Routes for the health, settings and API description of the service. */
export function serviceRoutes(
  { usage }: { usage: Pick<UsageService, 'estimate'> },
  { health, readMissing, isStopping, stuckRuns, indexFailures, version, settings, describe }: Deps,
): Route[] {
  const readHealth = defineRoute({
    name: 'health.get',
    method: 'get',
    path: '/v1/health',
    summary: 'Read the service health',
    description:
      "With an API key, the response also contains the caller's workspace and the request's brain, and the number of stuck runs and index failures in the workspace. Returns 503 if runs cannot be accepted. Without a worker, runs are accepted but wait for one.",
    tag,
    access: allowAnyone,
    responses: {
      200: { description: 'Runs are accepted', schema: schemas.health },
      503: {
        description: 'Runs cannot be accepted, or the API key cannot be checked',
        schema: z.union([schemas.health, errorBody]),
      },
    },
    async handler({ principal }) {
      const [components, stuck_runs, index_failures] = await Promise.all([
        health(schemas.COMPONENTS),
        principal && stuckRuns(principal),
        principal && indexFailures(principal),
      ])
      return healthReply(components, { version, stuck_runs, index_failures }, principal)
    },
  })

  const live = defineRoute({
    name: 'health.live',
    method: 'get',
    path: '/v1/health/live',
    summary: 'Check that the process is alive',
    tag,
    access: allowAll,
    responses: { 200: { description: 'Alive', schema: schemas.liveness } },
    handler: async () => ok({ status: 'ok' }),
  })

  const ready = defineRoute({
    name: 'health.ready',
    method: 'get',
    path: '/v1/health/ready',
    summary: 'Check that the process can serve requests',
    description:
      'Returns 503 if a required component is down, and while the process shuts down. For load balancers and readiness probes.',
    tag,
    access: allowAll,
    responses: {
      200: { description: 'Ready', schema: schemas.readiness },
      503: { description: 'Not ready', schema: schemas.readiness },
    },
    async handler() {
      const missing = await readMissing()
      const status = isStopping() ? 'stopping' : missing.length > 0 ? 'down' : 'ok'
      return { status: status === 'ok' ? 200 : 503, body: { status, missing } }
    },
  })

  const readSettings = defineRoute({
    name: 'config.get',
    method: 'get',
    path: '/v1/config',
    summary: 'Read settings and cost estimates',
    tag,
    access: allowReaders(null),
    responses: { 200: { description: 'The settings', schema: settingsSchema } },
    handler: async ({ principal }) => ok({ ...settings, estimates: await usage.estimate(principal) }),
  })

  const openApi = defineRoute({
    name: 'openapi.get',
    method: 'get',
    path: '/v1/openapi.json',
    summary: 'Read the OpenAPI document',
    tag,
    access: allowAll,
    responses: {
      200: {
        description: 'An OpenAPI 3.1 document',
        schema: z.record(z.string(), z.unknown()).meta({ id: 'OpenApiDocument' }),
      },
      304: {
        description: "The client's copy of the document, identified by the entity tag in `If-None-Match`, is current",
      },
    },
    async handler({ ctx }) {
      const { json, gzipped, etag } = await describe()
      ctx.vary('Accept-Encoding')
      if (isCurrent(ctx, etag)) return { status: 304 }
      const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-cache' }
      return ctx.acceptsEncodings('gzip', 'identity') === 'gzip'
        ? ok(gzipped, { ...headers, 'Content-Encoding': 'gzip' })
        : ok(json, headers)
    },
  })

  const docs = defineRoute({
    name: 'docs.page',
    method: 'get',
    path: '/v1/docs',
    summary: 'Open the API reference',
    description: 'You can send requests from the page. Enter an API key under Authentication.',
    tag,
    access: allowAll,
    responses: { 200: { description: 'An HTML page', schema: z.string(), mediaType: 'text/html' } },
    handler: async () => ok(referencePage.html, referenceHeaders),
  })

  const docsScript = defineRoute({
    name: 'docs.script',
    method: 'get',
    path: '/v1/docs/reference.js',
    summary: 'Read the API reference script',
    tag,
    access: allowAll,
    responses: {
      200: { description: 'JavaScript', schema: z.string(), mediaType: 'text/javascript' },
      304: {
        description: "The client's copy of the script, identified by the entity tag in `If-None-Match`, is current",
      },
    },
    async handler({ ctx }) {
      const { gzipped, etag } = await readReferenceScript()
      if (isCurrent(ctx, etag)) return { status: 304 }
      const { body, headers } = await negotiateGzip(ctx, gzipped)
      return ok(body, { 'Content-Type': 'text/javascript; charset=utf-8', 'Cache-Control': 'no-cache', ...headers })
    },
  })

  return [readHealth, live, ready, readSettings, openApi, docs, docsScript]
}

/** Sets the entity tag of a response. Returns whether the client already has this version. */
function isCurrent(ctx: Context, etag: string): boolean {
  ctx.status = 200
  ctx.set('ETag', etag)
  return ctx.fresh
}

/**
 * Builds the health response. Runs can be accepted if Postgres can store them and Temporal can start their workflow.
 */
function healthReply(
  components: Health,
  more: { version: string; stuck_runs?: number; index_failures?: number },
  principal: Principal | undefined,
): Reply {
  const down = [components.postgres, components.migrations, components.temporal].some(state => state !== 'ok')
  const degraded = Object.values(components).includes('down')
  const status = down ? 'down' : degraded ? 'degraded' : 'ok'
  const workspace = principal && { id: principal.workspace_id, slug: principal.workspace_slug }
  const brain = principal?.brain?.id ? { id: principal.brain.id } : undefined
  return { status: down ? 503 : 200, body: { status, ...more, components, workspace, brain } }
}
