import { z } from 'zod'
import type { ErrorCode } from '../../domain/shared/errors.ts'

const problem = z.object({
  pointer: z.string().meta({ description: 'JSON pointer to the value' }),
  message: z.string(),
})
export const problems = z.array(problem)

const details = z.array(
  problem.extend({ node_key: z.string().optional().meta({ description: 'Node in the run that causes the problem' }) }),
)

/** A string in the OpenAPI document, because new codes don't require a new API version. */
export const errorCode = z.string() as z.ZodString & z.ZodType<ErrorCode>

export const errorBody = z
  .object({
    message: z.string().meta({ description: 'Human-readable description of the error' }),
    code: errorCode.meta({ description: 'Machine-readable error code', example: 'VALIDATION_ERROR' }),
    details: details.optional(),
    retryAfter: z.number().optional().meta({ description: 'Seconds to wait before a retry' }),
  })
  .meta({ id: 'Error' })

export type ErrorBody = z.output<typeof errorBody>
