import { z } from 'zod'
import { pageOf, requiredJson, timestamp, versionNumber } from '../../routing/schemas.ts'
import { pathwayParams, savedFields } from '../pathways/schemas.ts'

const { description, ...headFields } = savedFields

export const catalogParams = z.object({
  catalog: z.string().meta({ description: 'The kind, in singular or plural: pathways' }),
})
export const resourceParams = catalogParams.extend(pathwayParams.shape)
export const versionParams = resourceParams.extend({ version: versionNumber })

/** A head as the catalog takes it: the fields all kinds share, and the document of this kind. */
export const createBody = z.strictObject({
  ...headFields,
  document: z.strictObject({ description, definition: requiredJson }),
})

/** A head as the catalog shows it. */
export const resource = z
  .object({
    id: z.uuid(),
    slug: z.string(),
    type: z.string(),
    title: z.string(),
    path: z.string(),
    brain_id: z.uuid().nullable(),
    is_active: z.boolean(),
    version: z.int(),
    document: z.record(z.string(), z.unknown()),
    created_at: timestamp,
    updated_at: timestamp,
    deleted_at: timestamp.nullable(),
  })
  .meta({ id: 'Resource' })

export const resourcePage = pageOf(resource)
