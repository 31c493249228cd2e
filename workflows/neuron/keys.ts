import type { RequestedCall } from '../../domain/agents/loop.ts'

/** Node keys of a run: `step-3` for a step, `step-3/search[0]` for its first tool call. */
export const toStepKey = (step: number): string => `step-${step}`
export const toCallKey = (step: number, { name, index }: Pick<RequestedCall, 'name' | 'index'>): string =>
  `${toStepKey(step)}/${name}[${index}]`

/** Returns the node key of the next approval of a call: `step-3/pay[0]/approval`, then `step-3/pay[0]/approval-2`. */
export const toApprovalKey = (step: number, call: RequestedCall): string => {
  const { decided = 0 } = call.approval ?? {}
  return `${toCallKey(step, call)}/approval${decided > 0 ? `-${decided + 1}` : ''}`
}
export const isApprovalKey = (key: string): boolean => /\/approval(?:-\d+)?$/.test(key)
