import { findNodeRight, requireRight } from '../domain/access/rights.ts'
import type { NodeType } from '../domain/pathways/definition.ts'
import type { Step } from './step.ts'

/** Makes the step of a node type throw StepError FORBIDDEN in a run that lacks the right for it. */
export const withRight =
  (type: NodeType, step: Step): Step =>
  async (input, showInput) => {
    requireRight(input.job, findNodeRight(type, { with: input.with }))
    return step(input, showInput)
  }
