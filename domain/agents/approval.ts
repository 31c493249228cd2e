import { evaluateExpression } from '../pathways/expressions/evaluate.ts'
import { ExpressionError } from '../pathways/expressions/expression-error.ts'
import { createCompiler } from '../pathways/expressions/expression.ts'
import { Meter } from '../pathways/expressions/meter.ts'
import { checkTemplate } from '../pathways/expressions/template.ts'
import { evaluateTitle } from '../pathways/expressions/title.ts'
import type { JsonObject, Problem } from '../shared/json/json.ts'
import { FULL_LIMITS, type WorkLimits } from '../shared/fairness/work-limits.ts'
import { ARGUMENTS } from './approval-arguments.ts'

/** The rule by which a call of a tool requires approval, and the names that may approve. */
export type ApprovalRule = 'never' | 'always' | { when?: string; assignees?: string[]; title?: string }

const NAMES = [ARGUMENTS]

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

/** One decision about a call. */
export interface ApprovalRound {
  /** Names that may decide; anyone if empty. */
  assignees: string[]
  /** Absent if no rule has one, or if it gives no text for these arguments. */
  title?: string
  /** The rule does not require approval of the proposed arguments. Only a change of them does. */
  when_edited?: true
}

/**
 * Plans the approval of a call: one round for each group of people that a rule names. All of them must approve. Returns
 * null if no rule requires approval. Throws TooMuchInline.
 */
export function planApproval(
  rules: ApprovalRule[],
  args: JsonObject,
  limits: WorkLimits = FULL_LIMITS,
): ApprovalRound[] | null {
  const approvalRules = rules.filter(rule => rule !== 'never')
  const plannedRules = approvalRules.map((rule): PlannedRule => ({
    assignees: typeof rule === 'string' ? [] : [...new Set(rule.assignees)].toSorted(),
    isNeeded: needsApproval(rule, args, limits),
    title: fillTitle(rule, args, limits),
  }))
  const needed = plannedRules.filter(({ isNeeded }) => isNeeded)
  if (needed.length === 0) return null
  const title = [...needed, ...plannedRules].find(round => round.title !== undefined)?.title
  const rounds = Map.groupBy([...needed, ...plannedRules], ({ assignees }) => JSON.stringify(assignees))
  // A round that anyone may decide adds nothing to one with assignees.
  if (needed.some(({ assignees }) => assignees.length > 0)) rounds.delete('[]')
  return [...rounds.values()].map(same => buildRound(same, title))
}

/** A rule with its condition and title evaluated. */
interface PlannedRule {
  assignees: string[]
  isNeeded: boolean
  title?: string
}

/** Builds the round of rules with the same assignees; those that are needed come first. */
function buildRound([first, ...others]: PlannedRule[], title?: string): ApprovalRound {
  const roundTitle = [first, ...others].find(rule => rule?.title !== undefined)?.title ?? title
  return {
    assignees: first?.assignees ?? [],
    ...(roundTitle !== undefined && { title: roundTitle }),
    ...(first?.isNeeded !== true && { when_edited: true }),
  }
}

function fillTitle(rule: ApprovalRule, args: JsonObject, limits: WorkLimits): string | undefined {
  const source = typeof rule === 'string' ? undefined : rule.title
  return (source && evaluateTitle(() => checkTemplate(source, NAMES, limits).evaluate({ args }))) || undefined
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
