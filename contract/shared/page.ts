import { z } from 'zod'

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

/** A field of the answer to a search. */
export const truncated = z
  .literal(true)
  .optional()
  .meta({ description: 'Present if only the beginning of the query was used' })
