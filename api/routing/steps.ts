import type { Route } from './route.ts'

/** Steps of a request before the handler of its route. */
export type StepName =
  'auth' | 'limit' | 'share' | 'plan' | 'body' | 'raw' | 'upload' | 'validate' | 'brain' | 'idempotency'

/**
 * Error statuses that each step can return. `idempotency` includes the statuses of the service that claims the key.
 * `raw` includes the statuses of the service that reads the body.
 */
const STEP_ERRORS: Record<StepName, number[]> = {
  auth: [401, 403, 503],
  limit: [429],
  share: [429],
  plan: [403, 503],
  body: [400, 408, 413, 415],
  raw: [400, 408, 413, 415, 503],
  upload: [400, 408, 413, 415, 503],
  validate: [400],
  brain: [400, 403, 503],
  idempotency: [400, 409],
}

/** Route properties that determine which steps run. */
export type StepOptions = Pick<Route, 'method' | 'access' | 'effect' | 'form' | 'audio' | 'text' | 'raw' | 'idempotent'>

/** Lists the steps of a route in the order in which they run. */
export function listSteps({ method, access, effect, form, audio, text, raw, idempotent }: StepOptions): StepName[] {
  const identified = access.authentication !== 'none'
  const takesShare = access.credentials.includes('share_token')
  // A JSON body may contain the share token.
  const isReadFirst = takesShare && !form
  const steps: [StepName, boolean][] = [
    ['body', isReadFirst && method !== 'get'],
    ['auth', identified],
    ['limit', true],
    ['share', identified],
    ['plan', identified && effect === 'write'],
    [raw ? 'raw' : form || audio || text ? 'upload' : 'body', !isReadFirst && method !== 'get'],
    ['validate', true],
    ['brain', identified],
    ['idempotency', idempotent],
  ]
  return steps.flatMap(([name, isTaken]) => (isTaken ? name : []))
}

/**
 * Lists a route's error statuses: the statuses of its steps, 431 and 500. Adds 404 if the path names a resource, and
 * 409 if the route accepts `If-Match`. Other statuses are in the `responses` of the route.
 */
export function listErrorStatuses(route: StepOptions & { conditional: boolean; namesResource: boolean }): number[] {
  const statuses = listSteps(route).flatMap(name => STEP_ERRORS[name])
  if (route.namesResource) statuses.push(404)
  if (route.conditional) statuses.push(409)
  return [...new Set([...statuses, 431, 500])]
}
