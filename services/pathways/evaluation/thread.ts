import { ExpressionError } from '../../../domain/pathways/expressions/expression-error.ts'
import { FULL_LIMITS, type WorkLimits } from '../../../domain/shared/fairness/work-limits.ts'
import { type TaskName, tasks } from './tasks.ts'
import { lowerPriority } from '../../../observability/fairness/low-priority.ts'

lowerPriority()

export interface ThreadTask {
  name: TaskName
  args: unknown[]
}

/** Errors lose their class when they are sent between threads. */
export type ThreadReply = { result: unknown } | { error: Pick<ExpressionError, 'code' | 'message'> }

export default function evaluate({ name, args }: ThreadTask): ThreadReply {
  const task = tasks[name] as (limits: WorkLimits, ...args: unknown[]) => unknown
  try {
    return { result: task(FULL_LIMITS, ...args) }
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    return { error: { code: error.code, message: error.message } }
  }
}
