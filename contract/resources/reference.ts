import { z } from 'zod'
import type { ResourceKind } from '../../domain/resources/kinds/index.ts'
import { pageSchema } from '../shared/page.ts'

/** A resource that refers to another resource. */
export const referringResource = z
  .object({
    id: z.uuid(),
    type: z.string() as z.ZodString & z.ZodType<ResourceKind>,
    slug: z.string(),
    title: z.string(),
  })
  .meta({ id: 'ReferringResource' })
export const referringPage = pageSchema(referringResource)

/** The resources that refer to a resource, and their total number. */
export interface ReferringResources {
  data: z.output<typeof referringResource>[]
  total: number
}

/** The response after deleting a resource that other resources refer to. */
export const deletedInUse = z
  .object({ used_by: z.array(referringResource), total: z.int() })
  .meta({ id: 'DeletedInUse' })
