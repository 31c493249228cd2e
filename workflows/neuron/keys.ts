import type { ThoughtCall } from '../../domain/neurons/loop.ts'

/** Addresses of what a run does: `step-3`, and `step-3/search[0]` for the first call it asked for. */
export const stepKey = (step: number): string => `step-${step}`
export const callKey = (step: number, { name, index }: ThoughtCall): string => `${stepKey(step)}/${name}[${index}]`

const APPROVAL = '/approval'

/** The address of the question whether a call may be made. */
export const approvalKey = (step: number, call: ThoughtCall): string => callKey(step, call) + APPROVAL
export const isApprovalKey = (key: string): boolean => key.endsWith(APPROVAL)
