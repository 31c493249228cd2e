import type { Problem } from '../../shared/json/json.ts'
import { isGroupName, principalProblems } from '../../access/principal.ts'
import { hasExpression } from '../expressions/template.ts'
import type { HumanNode } from './human.ts'

/** Lists the problems of the assignees of a node. Names with expressions are validated when the intervention opens. */
export function assigneeProblems(node: HumanNode, at: string): Problem[] {
  const { assignees = [], escalate = [] } = node
  const names = principalProblems(assignees, `${at}/assignees`, hasExpression)
  const later = escalate.flatMap(({ to }, i) => principalProblems(to, `${at}/escalate/${i}/to`, hasExpression))
  return [...names, ...later, ...quorumProblems(node, at)]
}

/** Lists a quorum above the number of assignees. The size of a group or an expression is not known here. */
function quorumProblems({ assignees = [], escalate = [], quorum = 1 }: HumanNode, at: string): Problem[] {
  const everyone = new Set([...assignees, ...escalate.flatMap(({ to }) => to)])
  const isOpen = assignees.length === 0 || [...everyone].some(name => hasExpression(name) || isGroupName(name))
  if (isOpen || typeof quorum === 'string' || quorum <= everyone.size) return []
  return [{ pointer: `${at}/quorum`, message: `must be at most ${everyone.size}, the number of people who may answer` }]
}
