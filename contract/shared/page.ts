import { z } from 'zod'

/** The `total` field of a list. */
export const total = z.int().meta({
  description:
    'Total number of matching entries. Entries after this page are counted only up to 1,000, so there may be more.',
})

export const pagination = z
  .object({ limit: z.int(), offset: z.int(), total, has_more: z.boolean() })
  .meta({ id: 'Pagination' })

/** The schema of a page, named after the schema of its entries. */
export const pageSchema = <T extends z.ZodType>(entry: T) =>
  z.object({ data: z.array(entry), pagination }).meta({ id: `${entry.meta()?.id}Page` })

/** The `truncated` field of search responses. */
export const truncated = z
  .literal(true)
  .optional()
  .meta({ description: 'Present if the query was too long and only its first words were used' })
