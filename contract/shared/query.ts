import { z } from 'zod'

/**
 * A number in a query string. The OpenAPI document contains its bounds but doesn't allow null, which a query string
 * cannot represent.
 */
export const queryNumber = (number: z.ZodNumber) => {
  const { $schema: _, ...jsonSchema } = z.toJSONSchema(number)
  return z.coerce.number().pipe(number).meta(jsonSchema)
}

/** A number in a query string, with a default. */
export const queryNumberOr = (number: z.ZodNumber, byDefault: number) =>
  queryNumber(number).default(byDefault).meta({ default: byDefault })

export const limit = queryNumberOr(z.int().min(1).max(200), 50).meta({ description: 'Page size' })
export const offset = queryNumberOr(z.int().min(0).max(1_000_000_000), 0).meta({
  description: 'Number of entries to skip',
})
export const pageQuery = z.object({ limit, offset })

export type PageQuery = z.output<typeof pageQuery>

export const flag = z.enum(['true', 'false']).transform(value => value === 'true')
export const versionNumber = queryNumber(z.int().min(1).max(2_147_483_647))

/** Long enough for the longest allowed entries. */
const MAX_LIST_CHARS = 10_050

/** Non-blank text between two commas. */
const LISTED_LINE = {
  maxLength: 200,
  pattern: String.raw`^[^,\u0000-\u001f\u007f-\u009f]*[^\s,\u0000-\u001f\u007f-\u009f][^,\u0000-\u001f\u007f-\u009f]*$`,
}

/**
 * A comma-separated list in a query string.
 *
 * @param items OpenAPI schema for an entry
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

/** Describes a comma-separated list in the OpenAPI document. */
const LISTED = { style: 'form', explode: false }
