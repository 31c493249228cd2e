import type { RequestedCall } from '../../domain/agents/loop.ts'

/** Builds a node key of the run: `step-3` for a step, `step-3/search[0]` for its first tool call. */
export const buildStepKey = (step: number): string => `step-${step}`
export const buildCallKey = (step: number, { name, index }: Pick<RequestedCall, 'name' | 'index'>): string =>
  `${buildStepKey(step)}/${name}[${index}]`

/** Returns the node key of a call's next approval: `step-3/pay[0]/approval`, then `step-3/pay[0]/approval-2`. */
export const buildApprovalKey = (step: number, call: RequestedCall): string => {
  const { decided: decidedCount = 0 } = call.approval ?? {}
  return `${buildCallKey(step, call)}/approval${decidedCount > 0 ? `-${decidedCount + 1}` : ''}`
}
export const isApprovalKey = (key: string): boolean => /\/approval(?:-\d+)?$/.test(key)
