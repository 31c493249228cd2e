import { z } from 'zod'
import { MAX_NOTE_CHARS } from '../../domain/resources/checking.ts'
import type { ResourceKind } from '../../domain/resources/kinds/index.ts'
import { folderPath, slug, title } from '../../domain/resources/names.ts'
import { SCOPES } from '../../domain/resources/scope.ts'
import { versionNumber } from '../shared/query.ts'
import { timestamp } from '../shared/time.ts'

export const note = z.string().max(MAX_NOTE_CHARS).optional().meta({ description: 'Reason for the change' })
export const expected = versionNumber
  .optional()
  .meta({ description: 'Expected latest version. The request returns 409 if the resource has a newer one.' })

export const scope = z.enum(SCOPES)

/** Scope of a resource, in a request. */
export const givenScope = scope.optional().meta({
  description: '`workspace`, or `brain` for the current brain. `core` returns 403. Default for new resources: `brain`.',
})

/** Folder of a resource, in a request. */
export const givenPath = folderPath
  .optional()
  .meta({ description: 'Folder, such as /finance/invoices; / is the root. At most 1,000 bytes of UTF-8.' })

/** Fields shared by all kinds. */
export const headFields = {
  title: title.optional(),
  slug: slug.optional(),
  path: givenPath,
  scope: givenScope,
  is_active: z.boolean().optional(),
  note,
}

/** Head fields in a response. */
export const shownHead = {
  id: z.uuid(),
  slug: z.string(),
  type: z.string() as z.ZodString & z.ZodType<ResourceKind>,
  title: z.string(),
  path: z.string(),
  scope,
  brain_id: z.uuid().nullable(),
  is_active: z.boolean(),
  version: z.int(),
  created_at: timestamp,
  updated_at: timestamp,
  deleted_at: timestamp.nullable(),
}

const head = z.object(shownHead)

/** Fields shared by the views of all kinds. */
export type HeadView = z.output<typeof head>
