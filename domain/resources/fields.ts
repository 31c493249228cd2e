import { z } from 'zod'

/** Schemas shared by documents of several kinds. */
export const description = z.string().max(10_000).nullable().default(null)
export const shortText = z.string().min(1).max(500)
export const longText = z.string().max(200_000)
export const json = z.json()
export const jsonObject = z.record(z.string().max(200), z.json())

/** A media type without parameters. */
export const mediaType = z
  .string()
  .max(201)
  .regex(/^[A-Za-z0-9][\w.+-]{0,99}\/[A-Za-z0-9][\w.+-]{0,99}$/, 'must be a media type such as text/markdown')

/** Reference to a resource by id or slug, optionally with `@version`. */
export const reference = z.string().min(1).max(200)

/** The agent or workflow that a gateway targets. */
export const target = z.strictObject({ type: z.enum(['neuron', 'pathway']), ref: reference })

export const MAX_METADATA_ENTRIES = 50
const METADATA_NAME = { minLength: 1, maxLength: 100 }

/** Document metadata that searches can filter by. */
export const metadata = z
  .record(
    z.string().min(METADATA_NAME.minLength).max(METADATA_NAME.maxLength),
    z.union([z.string().max(1_000), z.number(), z.boolean()]),
  )
  .refine(
    values => Object.keys(values).length <= MAX_METADATA_ENTRIES,
    `must have at most ${MAX_METADATA_ENTRIES} entries`,
  )
  // The OpenAPI generator omits these constraints.
  .meta({ maxProperties: MAX_METADATA_ENTRIES, propertyNames: METADATA_NAME })
  .default({})
