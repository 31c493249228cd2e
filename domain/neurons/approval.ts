import { evaluateExpression } from '../expressions/evaluate.ts'
import { ExpressionError } from '../expressions/expression-error.ts'
import { createCompiler } from '../expressions/expression.ts'
import { Meter } from '../expressions/meter.ts'
import { checkTemplate } from '../expressions/template.ts'
import { evaluateTitle } from '../expressions/title.ts'
import type { JsonObject, Problem } from '../json.ts'
import { FULL_LIMITS, type WorkLimits } from '../work-limits.ts'
import { ARGUMENTS } from './approval-arguments.ts'

/** The rule by which a call of a tool requires approval, and the names that may approve. */
export type ApprovalRule = 'never' | 'always' | { when?: string; assignees?: string[]; title?: string }

const NAMES = [ARGUMENTS]

/** Combines two rules of a tool. Approval is required if either rule requires it. */
export function combineApprovalRules(one: ApprovalRule, other: ApprovalRule): ApprovalRule {
  if (one === 'never') return other
  if (other === 'never') return one
  const parts = [one, other].map(rule => (rule === 'always' ? {} : rule))
  const [a, b] = parts.map(({ when }) => when)
  const assignees = [...new Set(parts.flatMap(({ assignees = [] }) => assignees))]
  // In CEL, `||` is true if one side is true, even if the other side fails.
  const when = a === undefined || b === undefined ? undefined : a === b ? a : `(${a}) || (${b})`
  const title = parts.find(part => part.title !== undefined)?.title
  if (when === undefined && title === undefined && assignees.length === 0) return 'always'
  return {
    ...(when !== undefined && { when }),
    ...(assignees.length > 0 && { assignees }),
    ...(title !== undefined && { title }),
  }
}

/** Returns the problem of a rule's expression, or undefined. */
export function approvalProblem(when: string): string | undefined {
  try {
    const { type } = createCompiler(NAMES, new Meter())(when)
    return type === 'bool' || type === 'dyn' ? undefined : `must evaluate to true or false, not to ${type}`
  } catch (error) {
    if (error instanceof ExpressionError) return error.message
    throw error
  }
}

/** What people are asked about a call. */
export interface ApprovalRequest {
  /** Absent if the rule has none, or if it gives no text for these arguments. */
  title?: string
}

/** Returns the request for approval of a call that requires one. Throws TooMuchInline. */
export function requestApproval(
  rule: ApprovalRule,
  args: JsonObject,
  limits: WorkLimits = FULL_LIMITS,
): ApprovalRequest | null {
  if (!needsApproval(rule, args, limits)) return null
  const source = typeof rule === 'string' ? undefined : rule.title
  const title = source && evaluateTitle(() => checkTemplate(source, NAMES, limits).evaluate({ args }))
  return title ? { title } : {}
}

/** Lists the problems of the expressions in a title. */
export const approvalTitleProblems = (title: string): Problem[] => checkTemplate(title, NAMES).problems

/** Whether the call requires approval. A rule that fails on these arguments requires it. Throws TooMuchInline. */
export function needsApproval(rule: ApprovalRule, args: JsonObject, limits?: WorkLimits): boolean {
  if (typeof rule === 'string') return rule === 'always'
  if (rule.when === undefined) return true
  try {
    return evaluateExpression(rule.when, { args }, limits) !== false
  } catch (error) {
    if (error instanceof ExpressionError) return true
    throw error
  }
}
