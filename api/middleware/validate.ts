import type { z } from 'zod'
import type { Problem } from '../../domain/shared/json/json.ts'
import { PARSE_OPTIONS, zodProblems } from '../../domain/shared/zod-problems.ts'
import { splitBrainId } from '../routing/brain-id.ts'
import type { Route } from '../routing/route.ts'
import type { AppContext, Step } from '../routing/state.ts'
import { invalidRequestError } from '../../domain/shared/invalid-request.ts'

const FIELD = { params: 'parameter', query: 'query parameter', body: 'field' }

/**
 * Validates params, query and body together and reports every problem. Unknown body fields and query parameters are
 * rejected by name. A missing body is treated as an empty object.
 */
export function validate(route: Route): Step {
  const { params, query } = route
  return (ctx, next) => {
    const { json = {} } = ctx.state
    ctx.state.json = json
    const requestParts = { params: paramsOf(ctx), query: ctx.query, body: json }
    const parts = { params, query, body: chooseBody(route, ctx) }
    const problems: Problem[] = []
    const check = (part: keyof typeof parts) => {
      const parsed = parts[part].safeParse(requestParts[part], PARSE_OPTIONS)
      if (!parsed.success) problems.push(...zodProblems(parsed.error, FIELD[part]))
      return parsed.data
    }
    const input = { params: check('params'), query: check('query'), body: check('body') }
    if (problems.length > 0) throw invalidRequestError(problems)
    ctx.state.input = { ...input, ...splitBrainId(input.body) }
    return next()
  }
}

/** Returns the schema for the body format that was sent. */
function chooseBody({ body, form, batch }: Route, { state: { isForm, json } }: AppContext): z.ZodType {
  if (form && isForm) return form
  return batch && isBatch(json) ? batch : body
}

const isBatch = (json: unknown): boolean => typeof json === 'object' && json !== null && 'documents' in json

const paramsOf = (ctx: AppContext): Record<string, unknown> => ctx.params as Record<string, unknown>
