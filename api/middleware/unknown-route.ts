import { AppError, NotFound } from '../../domain/shared/errors.ts'
import type { Step } from '../routing/state.ts'

interface Matched {
  path: string
  methods: string[]
}

/** Answers requests without a route: 405 with `Allow` when the path exists, else 404. */
export const unknownRoute: Step = async ctx => {
  const matched: Matched[] = Array.isArray(ctx.matched) ? ctx.matched : []
  const allowed = new Set(listClosest(matched).flatMap(({ methods }) => methods))
  if (allowed.size === 0) throw new NotFound('This route')
  ctx.set('Allow', [...allowed].join(', '))
  throw new AppError('METHOD_NOT_ALLOWED', 405, `This route does not support ${ctx.method}`)
}

/** Those with the fewest parameters: `/assets/ingest` rather than `/assets/:id`. */
function listClosest(matched: Matched[]): Matched[] {
  const counts = matched.map(({ path }) => path.split('/:').length)
  const fewest = Math.min(...counts)
  return matched.filter((_, index) => counts[index] === fewest)
}
