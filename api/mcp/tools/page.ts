import { z } from 'zod'

/** Paging arguments for list tools. */
export const page = {
  limit: z.int().min(1).max(200).default(50),
  offset: z.int().min(0).max(1_000_000_000).default(0),
}

/** Number of entries in all pages of a result. */
export const total = z.int().meta({ description: 'Number of entries in all pages' })
