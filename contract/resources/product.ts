import { z } from 'zod'
import { getResourceKind, type ResourceKind } from '../../domain/resources/kinds/index.ts'
import { requireChange } from '../shared/body-rules.ts'
import { jsonValue } from '../shared/json.ts'
import { pageSchema } from '../shared/page.ts'
import { versionNumber } from '../shared/query.ts'
import { line } from '../shared/text.ts'
import { expected, headFields, shownHead } from './head.ts'

export const productParams = z.object({
  id: line().meta({ description: 'Id or slug. Reads also accept `<id or slug>@<version>`.' }),
})
export const versionQuery = z.object({
  version: versionNumber.optional().meta({ description: 'Version to read instead of the latest' }),
})

/**
 * The documented fields of a kind's document. They are validated only on the complete resource. A change can
 * therefore contain a subset of the fields, and all problems are reported together.
 */
export function documentFields({ shape }: z.ZodObject): Record<string, z.ZodType> {
  return Object.fromEntries(
    Object.entries(shape).map(([name, field]) => {
      const json = z.toJSONSchema(field as z.ZodType, { io: 'input', unrepresentable: 'any' })
      return [name, jsonValue.optional().meta(describeJson(json))]
    }),
  )
}

/** Returns the required fields of a kind's document. */
const getRequired = ({ shape }: z.ZodObject): string[] =>
  Object.keys(shape).filter(name => !(shape[name] as z.ZodType).safeParse(undefined).success)

/**
 * Declares that a body needs a title and these fields. They are validated with all other fields by the rules of the
 * kind.
 */
export const requireFields = <T extends z.ZodType>(body: T, names: string[] = []): T =>
  body.meta({ required: ['title', ...names] })

/** Removes self-references from schemas of arbitrary JSON. They don't resolve inside another document. */
function describeJson({ $schema: _schema, $defs: _defs, ...json }: Record<string, unknown>): Record<string, unknown> {
  const withoutReferences = (_: string, value: unknown) => (isReference(value) ? {} : value)
  return JSON.parse(JSON.stringify(json, withoutReferences)) as Record<string, unknown>
}

const isReference = (value: unknown): boolean => typeof value === 'object' && value !== null && '$ref' in value

type ProductObject = z.ZodObject<typeof shownHead, z.core.$loose>

/** A resource in the shape of its own routes: the fields of its document next to the shared fields. */
export type ProductView = z.output<ProductObject>

export interface ProductSchemas {
  create: z.ZodObject
  patch: z.ZodType<{ expected_version?: number; [field: string]: unknown }>
  view: ProductObject
  page: z.ZodType
}

/** The request and response schemas of a kind, in the shape of its own routes. */
export function productSchemas(kind: ResourceKind, name: string): ProductSchemas {
  const document = getResourceKind(kind).document as z.ZodObject
  const fields = documentFields(document)
  const create = requireFields(z.strictObject({ ...headFields, ...fields }), getRequired(document))
  const patch = requireChange(z.strictObject({ ...headFields, ...fields, expected_version: expected }))
  const shape: typeof shownHead = {
    ...shownHead,
    type: z.literal(kind) as z.ZodType as typeof shownHead.type,
    ...fields,
  }
  const view = z.object(shape).meta({ id: name }) as z.ZodType as ProductObject
  return { create, patch, view, page: pageSchema(view) }
}
