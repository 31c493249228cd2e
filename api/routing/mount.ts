import { Router } from '@koa/router'
import type { RouterMiddleware } from '@koa/router'
import type { PlansService } from '../../services/access/plans.ts'
import { auth, brain } from '../middleware/auth.ts'
import { body, rawBody } from '../middleware/body.ts'
import { idempotency } from '../middleware/idempotency.ts'
import { plan, type RateLimit } from '../middleware/limits.ts'
import { requestShares } from '../fairness/request-shares.ts'
import { validate } from '../middleware/validate.ts'
import { uploadBody, type UploadSettings } from '../uploads/upload-body.ts'
import type { Reply } from './reply.ts'
import type { Authentication } from './access.ts'
import type { Route, RouteRequest } from './route.ts'
import { sendJson } from './send-json.ts'
import type { AppContext, AppState, Step } from './state.ts'
import { listSteps, type StepName } from './steps.ts'
import type { AccessService } from '../../services/access/access.ts'

interface Deps {
  access: AccessService
  rateLimit: RateLimit
  plans: Pick<PlansService, 'checkWrite'>
  maxConnections: number
  bodyLimit: number
  documents: UploadSettings
  audio: UploadSettings
  texts: UploadSettings
}

/**
 * Builds the step that serves the routes. A request passes through the steps of its route, then reaches the handler.
 * Each API section has its own router, because a router tries all of its routes for each request.
 */
export function mount(
  routes: Route[],
  { access, rateLimit, plans, maxConnections, bodyLimit, ...uploads }: Deps,
): Step {
  const share = requestShares(maxConnections)
  const create: Record<StepName, (route: Route) => Step> = {
    auth: route => auth(route, access),
    limit: () => rateLimit.route,
    share: () => share,
    plan: () => plan(plans),
    body: () => body(bodyLimit),
    raw: () => rawBody(bodyLimit),
    upload: route =>
      uploadBody(uploads[route.audio ? 'audio' : route.form ? 'documents' : 'texts'], route.form !== undefined),
    validate: route => validate(route),
    brain: () => brain(access),
    idempotency: () => idempotency,
  }
  const sections = new Map<string, Step>()
  for (const [section, sectionRoutes] of Map.groupBy(routes, ({ path }) => findSection(path))) {
    // Case-sensitive, so that a different spelling cannot bypass steps that compare paths, such as the origin check.
    const router = new Router<AppState>({ sensitive: true })
    for (const route of sectionRoutes) {
      const steps = [nameRoute(route), ...listSteps(route).map(name => create[name](route))]
      steps.push(ctx => handle(route, ctx))
      router.register(route.path, [route.method], steps as RouterMiddleware<AppState>[])
    }
    sections.set(section, router.routes() as Step)
  }
  return (ctx, next) => sections.get(findSection(ctx.path))?.(ctx, next) ?? next()
}

/** Returns the path segment after `/v1/`. */
const findSection = (path: string): string => path.split('/', 3)[2] ?? ''

const nameRoute =
  ({ path }: Route): Step =>
  (ctx, next) => {
    ctx.state.route = path
    return next()
  }

async function handle(route: Route, ctx: AppContext): Promise<void> {
  const { caller, principal, input, idempotency } = ctx.state
  const request = { caller, principal, ...input, idempotency, ctx } as RouteRequest<
    unknown,
    unknown,
    unknown,
    Authentication
  >
  const { jobId } = ctx.params as Record<string, string | undefined>
  ctx.state.jobId = jobId
  const reply = await route.handler(request)
  ctx.state.jobId ??= findJobId(reply)
  sendReply(ctx, reply)
}

/** Returns the id of the job in a reply, for the log. */
function findJobId(reply: Reply): string | undefined {
  const body = reply === 'streamed' ? undefined : reply.body
  if (typeof body !== 'object' || body === null || !('job_id' in body)) return undefined
  return typeof body.job_id === 'string' ? body.job_id : undefined
}

function sendReply(ctx: AppContext, reply: Reply): void {
  if (reply === 'streamed') return
  ctx.status = reply.status
  ctx.set(reply.headers ?? {})
  if (isJsonBody(reply.body)) sendJson(ctx, reply.body)
  else if (reply.body !== undefined) ctx.body = reply.body
}

const isJsonBody = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && (Array.isArray(body) || Object.getPrototypeOf(body) === Object.prototype)
