import { createCompiler, ExpressionError } from '../expressions/expression.ts'
import { Meter } from '../expressions/meter.ts'
import type { JsonObject } from '../json.ts'

/** When a person has to agree to a call of a tool, and who may. */
export type ApprovalRule = 'never' | 'always' | { when?: string; assignees?: string[] }

const NAMES = ['args']

/** One rule where two are set for a tool: a person has to agree where either asks for it. */
export function combineApprovalRules(one: ApprovalRule, other: ApprovalRule): ApprovalRule {
  if (one === 'never') return other
  if (other === 'never') return one
  const parts = [one, other].map(rule => (rule === 'always' ? {} : rule))
  const [a, b] = parts.map(({ when }) => when)
  const assignees = [...new Set(parts.flatMap(({ assignees = [] }) => assignees))]
  // In CEL, one side that cannot be told is no harm to the other one that holds.
  const when = a === undefined || b === undefined ? undefined : a === b ? a : `(${a}) || (${b})`
  if (when === undefined && assignees.length === 0) return 'always'
  return { ...(when !== undefined && { when }), ...(assignees.length > 0 && { assignees }) }
}

/** What is wrong with a rule's expression. */
export function approvalProblem(when: string): string | undefined {
  try {
    const { type } = createCompiler(NAMES, new Meter())(when)
    return type === 'bool' || type === 'dyn' ? undefined : `must evaluate to true or false, not to ${type}`
  } catch (error) {
    if (error instanceof ExpressionError) return error.message
    throw error
  }
}

/** Whether this call needs a person. A rule that cannot be read from these arguments is taken as a yes. */
export function needsApproval(rule: ApprovalRule, args: JsonObject): boolean {
  if (typeof rule === 'string') return rule === 'always'
  if (rule.when === undefined) return true
  const meter = new Meter()
  try {
    const expression = createCompiler(NAMES, meter)(rule.when)
    meter.start()
    return expression.evaluate({ args }) !== false
  } catch (error) {
    if (error instanceof ExpressionError) return true
    throw error
  }
}
