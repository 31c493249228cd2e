import { z } from 'zod'

/** Maximum length of a query. A search uses only the first words of the query. */
export const MAX_QUERY_CHARS = 10_000

/** Text of a query. */
export const queryText = z.string().max(MAX_QUERY_CHARS).regex(/\S/u, 'must not be empty')
