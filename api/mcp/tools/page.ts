import { z } from 'zod'

/** The arguments of a tool that lists. */
export const page = {
  limit: z.int().min(1).max(200).default(50),
  offset: z.int().min(0).max(1_000_000_000).default(0),
}

/** Fields of a result with a page: `total` entries in all. */
export const total = z.int().meta({ description: 'Number of entries in all pages' })
