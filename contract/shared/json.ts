import { z } from 'zod'
import type { JsonValue } from '../../domain/shared/json/json.ts'

/** Any JSON value. The parsed value is passed through without copying. */
export const jsonValue = z.unknown() as z.ZodUnknown & z.ZodType<JsonValue>

/** A required JSON value. */
export const requiredJson = jsonValue.refine(value => value !== undefined, 'is required')

/** An object that may have more fields than its type declares. */
export const openObject = <S extends z.ZodRawShape>(shape: S) => z.looseObject(shape) as z.ZodType as z.ZodObject<S>
