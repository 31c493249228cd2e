import { z } from 'zod'
import { MAX_NOTE_CHARS } from '../../../domain/resources/checking.ts'
import { findResourceKind, RESOURCE_KINDS } from '../../../domain/resources/kinds/index.ts'
import { folderPath, slug, title } from '../../../domain/resources/names.ts'
import { SCOPES } from '../../../domain/resources/scope.ts'
import type { PatchEnvelope, ResourceDiff, VersionView } from '../../../services/resources/types.ts'
import { allowOnlyBeside, requireExactlyOne } from '../../../contract/shared/body-rules.ts'
import { errorBody } from '../../../contract/shared/error.ts'
import { jsonValue, requiredJson } from '../../../contract/shared/json.ts'
import { pageSchema } from '../../../contract/shared/page.ts'
import { flag, pageQuery, versionNumber } from '../../../contract/shared/query.ts'
import { line } from '../../../contract/shared/text.ts'
import { timestamp } from '../../../contract/shared/time.ts'

export const catalogParams = z.object({
  catalog: line(100).meta({ description: `Kind of resource, in singular or plural: ${RESOURCE_KINDS.join(', ')}` }),
})
export const resourceParams = catalogParams.extend({ id: line().meta({ description: 'Id or slug of the resource' }) })
export const versionParams = resourceParams.extend({ version: versionNumber })

export const removeQuery = z.object({
  purge: flag.optional().meta({ description: 'Whether to remove the content permanently. Default: false.' }),
})
const folder = folderPath.optional().meta({ description: 'Only resources directly in this folder, such as /finance' })
export const folderQuery = pageQuery.extend({ path: folder })
export const listQuery = pageQuery.extend({ is_active: flag.optional(), path: folder })

const side = z
  .union([z.literal('live'), versionNumber], {
    error: ({ input }) => `${input === undefined ? 'is required:' : 'must be'} a version number or live`,
  })
  .meta({ description: 'A version number, or `live` for the latest version' })
export const diffQuery = z.object({ from: side, to: side })

export const note = z.string().max(MAX_NOTE_CHARS).optional().meta({ description: 'Reason for this version' })
export const expected = versionNumber
  .optional()
  .meta({ description: 'The request fails with 409 unless this is the latest version' })

export const restoreBody = z.strictObject({
  version: versionNumber.optional().meta({ description: 'The version to go back to' }),
  note,
})
export const ABOUT_RESTORE =
  'Undoes a deletion. With `version`, the title and document of that version become a new version; its slug, folder, scope, brain and `is_active` stay as they are.'

export const scope = z.enum(SCOPES)

/** Where a resource belongs, in a request. */
export const givenScope = scope.optional().meta({
  description:
    '`workspace`, or `brain`: that of the brain context. `core` is refused with 403. Default of a new resource: `brain`.',
})

/** The folder of a resource, in a request. */
export const givenPath = folderPath
  .optional()
  .meta({ description: 'Folder, such as /finance/invoices; / is the root. At most 1,000 bytes of UTF-8.' })

/** The fields that all kinds share. */
export const headFields = {
  title: title.optional(),
  slug: slug.optional(),
  path: givenPath,
  scope: givenScope,
  is_active: z.boolean().optional(),
  note,
}

/** A head in a request: the shared fields and the document of the kind. */
export const createBody = z.strictObject({
  ...headFields,
  document: jsonValue
    .optional()
    .meta({ type: 'object', description: 'The document, validated by the rules of its kind' }),
  snapshot: jsonValue.optional().meta({
    type: 'object',
    description: 'The body of a stakeholder map: `stakeholders` and `edges`. Other kinds have none.',
  }),
})

const MAX_DRY_RUN_RESOURCES = 500

const knownKind = line(100).refine(name => findResourceKind(name) !== undefined, 'is not a known kind of resource')
export const dryRunBody = z.strictObject({
  resources: z
    .array(createBody.extend({ catalog: knownKind, slug }))
    .min(1)
    .max(MAX_DRY_RUN_RESOURCES)
    .meta({ description: 'All fields of a new resource, or the fields to change. They may refer to each other.' }),
})

const pointer = z.string().max(1_000)
const operation = z
  .discriminatedUnion('op', [
    z
      .strictObject({ op: z.enum(['add', 'replace', 'test']), path: pointer, value: requiredJson })
      .meta({ id: 'ValueOperation' }),
    z.strictObject({ op: z.literal('remove'), path: pointer }).meta({ id: 'RemoveOperation' }),
    z.strictObject({ op: z.enum(['move', 'copy']), path: pointer, from: pointer }).meta({ id: 'MoveOperation' }),
  ])
  .meta({
    id: 'PatchOperation',
    description: 'An RFC 6902 operation on {title, slug, path, scope, brain_id, is_active, document}',
  })

const text = z.string()
export const contentChange = z.union([
  z.strictObject({ replace: text }),
  z.strictObject({ append: text }),
  z.strictObject({
    edits: z
      .array(z.strictObject({ find: text.min(1), replace: text }))
      .min(1)
      .max(200),
  }),
])

/** The fields of the head that a patch may set beside a delta. */
const { note: _note, ...patchedHead } = headFields

/** The body of a patch: exactly one form of the change. */
export const patchBody = allowOnlyBeside(
  requireExactlyOne(
    z.strictObject({
      ...patchedHead,
      ops: z.array(operation).min(1).max(1_000).optional(),
      merge: z
        .record(z.string(), jsonValue)
        .optional()
        .meta({
          description: 'An RFC 7396 merge patch of the same fields as `ops`',
          propertyNames: { not: { const: '__proto__' } },
        }),
      delta: jsonValue.optional().meta({
        description:
          'A change in the format of the kind; stakeholder maps, which need one, and meetings only. Fields of the head may come beside it.',
      }),
      content: contentChange.optional().meta({
        description: 'A change of the text; artifacts only. The result may have 5,000,000 bytes of UTF-8.',
      }),
      expected_version: expected,
      note,
    }),
    ['ops', 'merge', 'delta', 'content'],
  ),
  'delta',
  Object.keys(patchedHead),
) as unknown as z.ZodType<PatchEnvelope>

/** The fields of a head in a response. */
export const shownHead = {
  id: z.uuid(),
  slug: z.string(),
  type: z.string(),
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

/** A head in a response of the catalog. */
export const resource = z
  .looseObject({
    ...shownHead,
    document: z.looseObject({}),
    snapshot: z.looseObject({}).optional().meta({ description: 'The body of a stakeholder map' }),
  })
  .meta({ id: 'Resource' })

export const dryRun = z
  .object({
    results: z.array(
      z.object({
        kind: z.enum(RESOURCE_KINDS),
        slug: z.string(),
        action: z.enum(['create', 'update', 'unchanged', 'invalid']),
        version: z.int().nullable().meta({ description: 'The current version; null for a new resource' }),
        resource: resource.nullable().meta({ description: 'The resource after the save; null with problems' }),
        problems: z.array(z.object({ pointer: z.string(), message: z.string() })),
      }),
    ),
  })
  .meta({ id: 'ResourceDryRun' })

const ops = z.array(z.looseObject({ op: z.string(), path: z.string() }))

export const version = z
  .object({
    version: z.int(),
    author: z.string(),
    note: z.string().nullable(),
    delta: z
      .object({ changed: z.array(z.string()), ops: ops.optional(), delta: jsonValue.optional() })
      .nullable()
      .meta({ description: 'The changes of this version' }),
    created_at: timestamp,
  })
  .meta({ id: 'Version' }) satisfies z.ZodType<Omit<VersionView, 'delta'>>

export const diff = z
  .object({ from: z.int(), to: z.int(), changed: z.array(z.string()), ops })
  .meta({ id: 'Diff' }) satisfies z.ZodType<Omit<ResourceDiff, 'ops'>>

/** The response to a restore that would give two live resources one slug. */
export const slugTaken = { description: 'Another resource has the slug by now', schema: errorBody }

/** A resource that refers to another one. */
const user = z
  .object({ id: z.uuid(), type: z.string(), slug: z.string(), title: z.string() })
  .meta({ id: 'ReferringResource' })
export const userPage = pageSchema(user)
export const ABOUT_USERS =
  'Live resources whose latest versions refer to this one by id or slug, newest first: pathways and neurons, receptors, triggers and reflexes.'

/** The responses to a deletion. */
export const deleted = {
  200: {
    description: 'Deleted, although resources refer to it: `used_by` has the newest 50 of `total`',
    schema: z.object({ used_by: z.array(user), total: z.int() }).meta({ id: 'DeletedInUse' }),
  },
  204: { description: 'Deleted; nothing refers to it' },
}

export const resourcePage = pageSchema(resource)
export const versionPage = pageSchema(version)
