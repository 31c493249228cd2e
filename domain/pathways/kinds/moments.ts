import { addWorkingTime, type WorkingCalendar } from '../../people/working-time.ts'
import { addDuration, parseDurationMs, parseMoment } from '../../shared/durations.ts'
import { ExpressionError, shorten } from '../expressions/expression-error.ts'
import type { JsonValue, Problem } from '../../shared/json/json.ts'
import { hasExpression } from '../expressions/template.ts'
import { LINE } from './kind.ts'

/** A duration after the node starts, a time, or an expression that returns either. */
export const MOMENT = LINE

const RULE = 'must be an ISO 8601 duration such as PT5M or P2D, or a time with an offset'

/** Returns a problem if the moment is neither a duration nor a time. Expressions are checked when the node starts. */
export const momentProblems = (moment: string, pointer: string): Problem[] =>
  hasExpression(moment) || resolveMoment(moment, new Date(0).toISOString()) !== undefined
    ? []
    : [{ pointer, message: RULE }]

/** Resolves a moment to a time. With a calendar, durations are working time. Throws ExpressionError. */
export function readMoment(
  value: JsonValue | undefined,
  at: string,
  pointer: string,
  calendar?: WorkingCalendar,
): string {
  const isWorking = calendar && typeof value === 'string' && parseDurationMs(value) !== undefined
  const time = isWorking ? addWorkingTime(calendar, at, value) : resolveMoment(value, at)
  if (time !== undefined) return time
  const rule = isWorking ? WORKING_RULE : RULE
  throw new ExpressionError(
    'EXPRESSION_FAILED',
    `${pointer} evaluates to ${shorten(JSON.stringify(value))}: it ${rule}`,
  )
}

/** Rule for working-time durations. */
export const WORKING_RULE = 'must have whole days and hours, and no weeks, because its calendar counts working time'

function resolveMoment(value: JsonValue | undefined, at: string): string | undefined {
  if (typeof value !== 'string') return undefined
  return parseDurationMs(value) === undefined ? parseMoment(value) : addDuration(at, value)
}
