import { requireRight } from '../../domain/access/rights.ts'
import type { NodeType } from '../../domain/pathways/definition.ts'
import { getNodeKind } from '../../domain/pathways/kinds/index.ts'
import type { Step } from '../runs/step.ts'

/** Wraps a node type's step so that it throws StepError FORBIDDEN in a run without the required right. */
export function withRight(type: NodeType, step: Step): Step {
  const right = getNodeKind(type).effect?.right ?? null
  return async (input, showInput) => {
    requireRight(input.job, typeof right === 'function' ? right(input.with) : right)
    return step(input, showInput)
  }
}
