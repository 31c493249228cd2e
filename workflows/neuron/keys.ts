import type { RequestedCall } from '../../domain/neurons/loop.ts'

/** Node keys of a run: `step-3` for a step, `step-3/search[0]` for its first tool call. */
export const toStepKey = (step: number): string => `step-${step}`
export const toCallKey = (step: number, { name, index }: Pick<RequestedCall, 'name' | 'index'>): string =>
  `${toStepKey(step)}/${name}[${index}]`

const APPROVAL = '/approval'

/** Returns the node key of the approval of a call. */
export const toApprovalKey = (step: number, call: RequestedCall): string => toCallKey(step, call) + APPROVAL
export const isApprovalKey = (key: string): boolean => key.endsWith(APPROVAL)
