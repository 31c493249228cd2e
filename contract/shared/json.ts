import { z } from 'zod'
import type { JsonValue } from '../../domain/shared/json/json.ts'

/** Any JSON value. The parsed value is passed on without a copy. */
export const jsonValue = z.unknown() as z.ZodUnknown & z.ZodType<JsonValue>

/** A required JSON value. */
export const requiredJson = jsonValue.refine(value => value !== undefined, 'is required')
