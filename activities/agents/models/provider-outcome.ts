import { StepError } from '../../../domain/runs/step-error.ts'

/** Returns the outcome of a failed provider call: its error code, or `cancelled` if the caller cancelled the call. */
export const getCallOutcome = (error: unknown): string => (error instanceof StepError ? error.code : 'cancelled')
