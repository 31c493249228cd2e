import type { Route } from './route.ts'

/** The steps of a request before the handler of its route. */
export type StepName =
  'auth' | 'limit' | 'share' | 'plan' | 'body' | 'raw' | 'upload' | 'validate' | 'brain' | 'idempotency'

/**
 * The statuses of the errors with which a step responds. `idempotency`: also of the service that claims the key. `raw`: also
 * of the service that reads the body.
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

/** The properties of a route that decide on its steps. */
export type StepOptions = Pick<Route, 'method' | 'access' | 'effect' | 'form' | 'audio' | 'text' | 'raw' | 'idempotent'>

/** Lists the steps of a route in their order. */
export function listSteps({ method, access, effect, form, audio, text, raw, idempotent }: StepOptions): StepName[] {
  const identified = access.authentication !== 'none'
  const takesShare = access.credentials.includes('share_token')
  const steps: [StepName, boolean][] = [
    // A share token may be in the body.
    ['body', takesShare && method !== 'get'],
    ['auth', identified],
    ['limit', true],
    ['share', identified],
    ['plan', identified && effect === 'write'],
    [raw ? 'raw' : form || audio || text ? 'upload' : 'body', !takesShare && method !== 'get'],
    ['validate', true],
    ['brain', identified],
    ['idempotency', idempotent],
  ]
  return steps.flatMap(([name, isTaken]) => (isTaken ? name : []))
}

/**
 * Lists the statuses of the errors that follow from the declaration of a route: those of its steps, 404 if its path names
 * a resource, 409 if it takes `If-Match`, 431 and 500. The `responses` of the route have the others.
 */
export function listErrorStatuses(route: StepOptions & { conditional: boolean; namesResource: boolean }): number[] {
  const statuses = listSteps(route).flatMap(name => STEP_ERRORS[name])
  if (route.namesResource) statuses.push(404)
  if (route.conditional) statuses.push(409)
  return [...new Set([...statuses, 431, 500])]
}
