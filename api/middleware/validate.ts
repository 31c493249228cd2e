import { z } from 'zod'
import { ValidationError } from '../../domain/errors.ts'
import type { Problem } from '../../domain/json.ts'
import { PARSE_OPTIONS, zodProblems } from '../../domain/zod-problems.ts'
import type { Route } from '../routing/route.ts'
import type { AppContext, Step } from '../routing/state.ts'

const noBody = z.strictObject({}, 'must be empty')
/** Problems shown at most. */
const SHOWN = 100
const FIELD = { params: 'parameter', query: 'query parameter', body: 'field' }

/**
 * Checks params, query and body in one go and lists every problem. Unknown body fields and query parameters are refused
 * by name. No body means the same as an empty object.
 */
export function validate({ params, query, body = noBody, form }: Route): Step {
  return (ctx, next) => {
    const { json = {} } = ctx.state
    ctx.state.json = json
    const given = { params: paramsOf(ctx), query: ctx.query, body: json }
    const parts = { params, query, body: ctx.state.isForm && form ? form : body }
    const problems: Problem[] = []
    const check = (part: keyof typeof parts) => {
      const parsed = parts[part].safeParse(given[part], PARSE_OPTIONS)
      if (!parsed.success) problems.push(...zodProblems(parsed.error, FIELD[part]))
      return parsed.data
    }
    const input = { params: check('params'), query: check('query'), body: check('body') }
    const [first, ...more] = problems
    if (first) {
      const others = more.length > 0 ? ` (and ${more.length} more)` : ''
      throw new ValidationError(
        `Invalid request: ${first.pointer || 'the body'} ${first.message}${others}`,
        problems.slice(0, SHOWN),
      )
    }
    ctx.state.input = input
    return next()
  }
}

const paramsOf = (ctx: AppContext): Record<string, unknown> => ctx.params as Record<string, unknown>
