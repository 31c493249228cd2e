import { StepError } from '../../../domain/runs/step-error.ts'

/** The outcome of a failed call of a provider: the code of its error, or `cancelled` by the caller. */
export const getCallOutcome = (error: unknown): string => (error instanceof StepError ? error.code : 'cancelled')
