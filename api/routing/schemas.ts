import { z } from 'zod'
import type { JsonValue } from '../../domain/json.ts'
import { ACTOR, PRINCIPAL, PRINCIPAL_RULE } from '../../domain/principal.ts'

/** Any JSON value. The parsed value is passed on without a copy. */
export const jsonValue = z.unknown() as z.ZodUnknown & z.ZodType<JsonValue>

/** A required JSON value. */
export const requiredJson = jsonValue.refine(value => value !== undefined, 'is required')

const PRINTABLE = /^\P{Cc}+$/u

/** One line of text, such as an id, a slug or a name. */
export const line = (longest = 200) =>
  z.string().max(longest).regex(PRINTABLE, 'must be text without control characters')

/** The name of a person, such as `user:ann`. */
export const person = z.string().max(200).regex(ACTOR, 'must be a person such as user:ann')
/** The name of a person, a group or a service key. */
export const principalName = z.string().max(200).regex(PRINCIPAL, PRINCIPAL_RULE)

export const limit = z.coerce.number().int().min(1).max(200).default(50).meta({ description: 'Page size' })
export const offset = z.coerce
  .number()
  .int()
  .min(0)
  .max(1_000_000_000)
  .default(0)
  .meta({ description: 'Number of entries to skip' })
export const pageQuery = z.object({ limit, offset })
export const flag = z.enum(['true', 'false']).transform(value => value === 'true')
export const versionNumber = z.coerce.number().int().min(1).max(2_147_483_647)

/** A list in a query string, with commas between the entries, which have these names if some are given. */
export const commaList = <T extends z.ZodType>(entry: T, names?: readonly string[]) =>
  z
    .string()
    .max(1_000)
    .transform(text => text.split(',').map(part => part.trim()))
    .pipe(z.array(entry).min(1).max(50) as unknown as z.ZodType<z.output<T>[], string[]>)
    .meta({
      type: 'array',
      items: { type: 'string', ...(names && { enum: [...names] }) },
      minItems: 1,
      maxItems: 50,
      param: LISTED,
    })

/** How the OpenAPI document says that a list has commas. */
const LISTED = { style: 'form', explode: false }

/** A point in time that a request names. */
export const moment = z.iso.datetime({ offset: true, message: 'must be a time such as 2026-01-31T12:00:00Z' })
/** A point in time of a response. */
export const timestamp = z.string().meta({ format: 'date-time' })

/** A field of the answer to a search. */
export const truncated = z
  .literal(true)
  .optional()
  .meta({ description: 'Present if only the beginning of the query was used' })

/** The field of a list. */
export const total = z.int().meta({
  description: 'All entries, also past the page. At most 1,000 past it are counted, so more may follow than it says',
})

export const pagination = z
  .object({ limit: z.int(), offset: z.int(), total, has_more: z.boolean() })
  .meta({ id: 'Pagination' })

/** The schema of a page, named after that of its entries. */
export const pageSchema = <T extends z.ZodType>(entry: T) =>
  z.object({ data: z.array(entry), pagination }).meta({ id: `${entry.meta()?.id}Page` })

export const problems = z.array(
  z.object({ pointer: z.string().meta({ description: 'JSON pointer to the value' }), message: z.string() }),
)

export const errorBody = z
  .object({
    message: z.string().meta({ description: 'Human-readable description of the error' }),
    code: z.string().meta({ description: 'Machine-readable error code', example: 'VALIDATION_ERROR' }),
    details: problems.optional(),
    retryAfter: z.number().optional().meta({ description: 'Seconds to wait before a retry' }),
  })
  .meta({ id: 'Error' })
