import { z } from 'zod'
import { findResourceKind, RESOURCE_KINDS, type ResourceKind } from '../../domain/resources/kinds/index.ts'
import type { Document } from '../../domain/resources/kind.ts'
import { folderPath, slug } from '../../domain/resources/names.ts'
import type { Change } from '../../domain/resources/patching.ts'
import { allowOnlyBeside, requireExactlyOne } from '../shared/body-rules.ts'
import { jsonValue, openObject, requiredJson } from '../shared/json.ts'
import { pageSchema } from '../shared/page.ts'
import { flag, pageQuery, versionNumber } from '../shared/query.ts'
import { line } from '../shared/text.ts'
import { expected, headFields, note, shownHead } from './head.ts'

const folder = folderPath.optional().meta({ description: 'Only resources directly in this folder, such as /finance' })
export const folderQuery = pageQuery.extend({ path: folder })
export const resourceQuery = pageQuery.extend({ is_active: flag.optional(), path: folder })

export type ResourceQuery = z.output<typeof resourceQuery>

export const removeQuery = z.object({
  purge: flag.optional().meta({ description: 'Whether to remove the content permanently. Default: false.' }),
})

export const restoreBody = z.strictObject({
  version: versionNumber.optional().meta({ description: 'Version to restore' }),
  note,
})

export type RestoreBody = z.output<typeof restoreBody>

/** A head in a request: the shared fields and the document of the kind. */
export const resourceBody = z.strictObject({
  ...headFields,
  document: jsonValue.optional().meta({ type: 'object', description: 'Document, validated by the rules of its kind' }),
  snapshot: jsonValue.optional().meta({
    type: 'object',
    description: 'Body of a stakeholder map: `stakeholders` and `edges`. Not available for other kinds.',
  }),
})

const MAX_DRY_RUN_RESOURCES = 500

const knownKind = line(100).refine(name => findResourceKind(name) !== undefined, 'is not a known kind of resource')
export const dryRunBody = z.strictObject({
  resources: z
    .array(resourceBody.extend({ catalog: knownKind, slug }))
    .min(1)
    .max(MAX_DRY_RUN_RESOURCES)
    .meta({
      description:
        'All fields of a new resource, or only the fields to change. Drafts in the same request may refer to each other.',
    }),
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
/** A change to text content. Each `find` must occur exactly once. */
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

export type ContentChange = z.output<typeof contentChange>

/** Shared fields that a patch may set together with a delta. */
const { note: _note, ...patchedHead } = headFields

/** The body of a patch. It contains the change in exactly one of the supported forms. */
export const resourcePatch = allowOnlyBeside(
  requireExactlyOne(
    z.strictObject({
      ...patchedHead,
      ops: z.array(operation).min(1).max(1_000).optional(),
      merge: z
        .record(z.string(), jsonValue)
        .optional()
        .meta({
          description: 'An RFC 7396 merge patch for the same fields as `ops`',
          propertyNames: { not: { const: '__proto__' } },
        }),
      delta: jsonValue.optional().meta({
        description:
          "Change in the kind's own format. Required for stakeholder maps, and also available for meetings. You can set shared fields, such as `title`, in the same request.",
      }),
      content: contentChange.optional().meta({
        description:
          'Change to the text, for artifacts only. The resulting text may have at most 5,000,000 bytes of UTF-8.',
      }),
      expected_version: expected,
      note,
    }),
    ['ops', 'merge', 'delta', 'content'],
  ),
  'delta',
  Object.keys(patchedHead),
) as unknown as z.ZodType<ResourcePatch>

/** A patch in exactly one of the supported forms. */
export type ResourcePatch = (Change | { content: ContentChange }) & { expected_version?: number; note?: string }

/** The document of a resource of any kind. */
const document = z.looseObject({}) as z.ZodType as z.ZodType<Document>

/** A resource head in a catalog response. */
export const resource = openObject({
  ...shownHead,
  document,
  snapshot: document.optional().meta({ description: 'Content of a stakeholder map' }),
}).meta({ id: 'Resource' })

/** A resource head in the catalog's shape. */
export type ResourceView = z.output<typeof resource>

const dryRunResult = z.object({
  kind: z.enum(RESOURCE_KINDS) as z.ZodType as z.ZodType<ResourceKind>,
  slug: z.string(),
  action: z.enum(['create', 'update', 'unchanged', 'invalid']),
  version: z.int().nullable().meta({ description: 'Current version. Null if the resource is new.' }),
  resource: resource.nullable().meta({ description: 'Resource after saving. Null if there are problems.' }),
  /** Pointers use the field layout of the kind's own routes, without `/document`. */
  problems: z.array(z.object({ pointer: z.string(), message: z.string() })),
})

export type DryRunResult = z.output<typeof dryRunResult>

export const dryRunReport = z.object({ results: z.array(dryRunResult) }).meta({ id: 'ResourceDryRun' })

export const resourcePage = pageSchema(resource)
