import { scimPatch, type ScimPatchOperation, type ScimResource } from 'scim-patch'
import { z } from 'zod'
import { ScimProblem } from '../../../domain/access/scim-problem.ts'

const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const MAX_OPERATIONS = 1_000

const patchBody = z.object({
  schemas: z.array(z.string()).refine(schemas => schemas.includes(PATCH_SCHEMA), `must contain ${PATCH_SCHEMA}`),
  Operations: z
    .array(
      z.object({
        op: z.string().regex(/^(?:add|remove|replace)$/i, 'must be add, remove or replace'),
        path: z.string().max(1_000).optional(),
        value: z.unknown().optional(),
      }),
    )
    .min(1)
    .max(MAX_OPERATIONS),
})

/** Names that would change the prototypes of objects. */
const UNSAFE = /__proto__|constructor|prototype/i

/** Applies a PatchOp message to a resource. Throws ScimProblem. */
export function applyPatch(resource: object, message: unknown): unknown {
  const parsed = patchBody.safeParse(message)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new ScimProblem('invalidSyntax', `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'is invalid'}`)
  }
  if (containsUnsafeName(parsed.data.Operations))
    throw new ScimProblem('invalidPath', 'An attribute has an invalid name')
  const operations = parsed.data.Operations as ScimPatchOperation[]
  try {
    return scimPatch(structuredClone(resource) as ScimResource, operations, { treatMissingAsAdd: true })
  } catch (error) {
    throw new ScimProblem('invalidPath', error instanceof Error ? error.message : 'The patch is invalid')
  }
}

function containsUnsafeName(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(
    ([name, entry]) =>
      UNSAFE.test(name) || (name === 'path' && UNSAFE.test(String(entry))) || containsUnsafeName(entry),
  )
}
