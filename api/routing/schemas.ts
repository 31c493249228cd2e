import { z } from 'zod'
import { INVISIBLE, invisibleProblem } from '../../domain/shared/text/invisible.ts'
import type { JsonValue } from '../../domain/shared/json/json.ts'
import { ACTOR_SCHEMA, isActorName, PRINCIPAL, PRINCIPAL_RULE } from '../../domain/access/principal.ts'

/** Any JSON value. The parsed value is passed on without a copy. */
export const jsonValue = z.unknown() as z.ZodUnknown & z.ZodType<JsonValue>

/** A required JSON value. */
export const requiredJson = jsonValue.refine(value => value !== undefined, 'is required')

const PRINTABLE = /^\P{Cc}+$/u

/** One line of text, such as an id, a slug or a name. */
export const line = (longest = 200) =>
  z.string().max(longest).regex(PRINTABLE, 'must be text without control characters')

/** The same for what people read before they decide or open something, such as the name of a file. */
export const visibleLine = (longest = 200) =>
  line(longest)
    .superRefine((text, context) => {
      const message = invisibleProblem(text)
      if (message !== undefined) context.addIssue({ code: 'custom', message })
    })
    .meta({ pattern: `^[^\\p{Cc}${INVISIBLE}]+$` })

/** The name of a person, such as `user:ann`. */
export const person = z.string().max(200).refine(isActorName, 'must be a person such as user:ann').meta(ACTOR_SCHEMA)
/** The name of a person, a group or a service key. */
export const principalName = z.string().max(200).regex(PRINCIPAL, PRINCIPAL_RULE)

/** A number in a query string. The OpenAPI document has its bounds, and no null, which a query string cannot hold. */
export const queryNumber = (number: z.ZodNumber) => {
  const { $schema: _, ...shown } = z.toJSONSchema(number)
  return z.coerce.number().pipe(number).meta(shown)
}

/** The same with a default. */
export const queryNumberOr = (number: z.ZodNumber, byDefault: number) =>
  queryNumber(number).default(byDefault).meta({ default: byDefault })

export const limit = queryNumberOr(z.int().min(1).max(200), 50).meta({ description: 'Page size' })
export const offset = queryNumberOr(z.int().min(0).max(1_000_000_000), 0).meta({
  description: 'Number of entries to skip',
})
export const pageQuery = z.object({ limit, offset })
export const flag = z.enum(['true', 'false']).transform(value => value === 'true')
export const versionNumber = queryNumber(z.int().min(1).max(2_147_483_647))

/** Sufficient for the longest entries. */
const MAX_LIST_CHARS = 10_050

/** A text between two commas, which is not blank. */
const LISTED_LINE = {
  maxLength: 200,
  pattern: String.raw`^[^,\u0000-\u001f\u007f-\u009f]*[^\s,\u0000-\u001f\u007f-\u009f][^,\u0000-\u001f\u007f-\u009f]*$`,
}

/**
 * A list in a query string, with commas between the entries.
 *
 * @param items what the OpenAPI document says of an entry
 */
export const commaList = <T extends z.ZodType>(
  entry: T,
  items: { enum?: readonly string[]; pattern?: string; maxLength?: number } = LISTED_LINE,
  maxItems = 50,
) =>
  z
    .string()
    .max(MAX_LIST_CHARS)
    .transform(text => text.split(',').map(part => part.trim()))
    .pipe(z.array(entry).min(1).max(maxItems) as unknown as z.ZodType<z.output<T>[], string[]>)
    .meta({
      type: 'array',
      items: { type: 'string', ...items, ...(items.enum && { enum: [...items.enum] }) },
      minItems: 1,
      maxItems,
      param: LISTED,
    })

/** How the OpenAPI document says that a list has commas. */
const LISTED = { style: 'form', explode: false }

/** The times that Postgres and Elasticsearch can hold. */
const FIRST_TIME = Date.parse('0001-01-01T00:00:00.000Z')
const LAST_TIME = Date.parse('9999-12-31T23:59:59.999Z')

/** Postgres knows no offsets of 16 hours and more. */
const toUtc = (text: string): string =>
  new Date(Math.min(Math.max(Date.parse(text), FIRST_TIME), LAST_TIME)).toISOString()

/** A point in time that a request names, as UTC. One outside of the years 1 to 9999 counts as the nearest in them. */
export const moment = z.iso
  .datetime({ offset: true, message: 'must be a time such as 2026-01-31T12:00:00Z' })
  .transform(toUtc)
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
