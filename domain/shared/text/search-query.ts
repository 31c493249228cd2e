import { z } from 'zod'

/** Limit of the text of a query. A search uses its first words. */
export const MAX_QUERY_CHARS = 10_000

/** Text of a query. */
export const queryText = z.string().max(MAX_QUERY_CHARS).regex(/\S/u, 'must not be empty')
