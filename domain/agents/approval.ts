import { evaluateExpression } from '../pathways/expressions/evaluate.ts'
import { ExpressionError } from '../pathways/expressions/expression-error.ts'
import { createCompiler } from '../pathways/expressions/expression.ts'
import { Meter } from '../pathways/expressions/meter.ts'
import { checkTemplate } from '../pathways/expressions/template.ts'
import { evaluateTitle } from '../pathways/expressions/title.ts'
import type { JsonObject, Problem } from '../shared/json/json.ts'
import { FULL_LIMITS, type WorkLimits } from '../shared/fairness/work-limits.ts'
import { ARGUMENTS } from './approval-arguments.ts'

/** Determines when a tool call requires approval and who may approve it. */
export type ApprovalRule = 'never' | 'always' | { when?: string; assignees?: string[]; title?: string }

const NAMES = [ARGUMENTS]

/** Returns the problem with a rule's expression, or undefined. */
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
  /** Names of the people and groups that may decide. If empty, anyone may decide. */
  assignees: string[]
  /** Absent if no rule has a title, or if the title is empty for these arguments. */
  title?: string
  /** Set if only changed arguments require this approval. The proposed arguments don't require it. */
  when_edited?: true
}

/**
 * Plans the approval of a call: one round for each group of people that a rule names. All rounds must approve.
 * Returns null if no rule requires approval. Throws TooMuchInline.
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
  // A round open to anyone adds nothing to a round with assignees.
  if (needed.some(({ assignees }) => assignees.length > 0)) rounds.delete('[]')
  return [...rounds.values()].map(same => buildRound(same, title))
}

/** A rule with its evaluated condition and title. */
interface PlannedRule {
  assignees: string[]
  isNeeded: boolean
  title?: string
}

/** Builds one round from rules with the same assignees, required ones first. */
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

/** Lists the problems with the expressions in a title. */
export const approvalTitleProblems = (title: string): Problem[] => checkTemplate(title, NAMES).problems

/**
 * Returns whether the call requires approval. If the rule can't be evaluated for these arguments, the call requires
 * approval. Throws TooMuchInline.
 */
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
