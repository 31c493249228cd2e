import { ValidationError } from './errors.ts'
import type { Problem } from './json/json.ts'

/** Maximum number of problems in the message. */
const MAX_PROBLEMS = 100

/** The error for a request with at least one problem. */
export function invalidRequestError(problems: Problem[]): ValidationError {
  const [first, ...more] = problems
  const others = more.length > 0 ? ` (and ${more.length} more)` : ''
  const message = `Invalid request: ${first?.pointer || 'the body'} ${first?.message ?? 'must be valid'}${others}`
  return new ValidationError(message, problems.slice(0, MAX_PROBLEMS))
}
