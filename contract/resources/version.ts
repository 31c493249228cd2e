import { z } from 'zod'
import type { Delta } from '../../domain/resources/patching.ts'
import { jsonValue } from '../shared/json.ts'
import { pageSchema } from '../shared/page.ts'
import { versionNumber } from '../shared/query.ts'
import { timestamp } from '../shared/time.ts'

const side = z
  .union([z.literal('live'), versionNumber], {
    error: ({ input }) => `${input === undefined ? 'is required:' : 'must be'} a version number or live`,
  })
  .meta({ description: 'Version number, or `live` for the latest version' })
/** The two versions to compare. */
export const diffQuery = z.object({ from: side, to: side })

export type VersionRange = z.output<typeof diffQuery>

/** RFC 6902 operations that turn the first version into the second. */
const ops = z.array(z.looseObject({ op: z.string(), path: z.string() })) as z.ZodType as z.ZodType<
  NonNullable<Delta['ops']>
>

export const resourceVersion = z
  .object({
    version: z.int(),
    author: z.string(),
    note: z.string().nullable(),
    delta: z
      .object({ changed: z.array(z.string()), ops: ops.optional(), delta: jsonValue.optional() })
      .nullable()
      .meta({ description: 'Changes made in this version' }),
    created_at: timestamp,
  })
  .meta({ id: 'Version' })

export type VersionView = z.output<typeof resourceVersion>

export const resourceDiff = z
  .object({ from: z.int(), to: z.int(), changed: z.array(z.string()), ops })
  .meta({ id: 'Diff' })

export type ResourceDiff = z.output<typeof resourceDiff>

export const versionPage = pageSchema(resourceVersion)
