import { scimPatch, type ScimPatchOperation, type ScimResource } from 'scim-patch'
import { z } from 'zod'
import { ScimProblem } from '../../../domain/access/scim-problem.ts'

const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const MAX_OPERATIONS = 1_000

const operation = z.object({
  op: z.string().regex(/^(?:add|remove|replace)$/i, 'must be add, remove or replace'),
  path: z.string().max(1_000).optional(),
  value: z.unknown().optional(),
})
type Operation = z.output<typeof operation>

const patchBody = z.object({
  schemas: z.array(z.string()).refine(schemas => schemas.includes(PATCH_SCHEMA), `must contain ${PATCH_SCHEMA}`),
  Operations: z.array(operation).min(1).max(MAX_OPERATIONS),
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
  return parsed.data.Operations.flatMap(splitMembers).reduce(applyOperation, structuredClone(resource))
}

function applyOperation(resource: object, operation: Operation): object {
  const members = changeMembers(resource, operation)
  if (members) return { ...resource, members }
  try {
    return scimPatch(resource as ScimResource, [operation as ScimPatchOperation], { treatMissingAsAdd: true })
  } catch (error) {
    throw new ScimProblem('invalidPath', error instanceof Error ? error.message : 'The patch is invalid')
  }
}

/** The members of a group, or one of them. */
const MEMBERS = /^(?:urn:ietf:params:scim:schemas:core:2\.0:Group:)?members(?:\[value eq "(?<id>[^"\\]*)"\])?$/i

const member = z.object({ value: z.string() })
const memberValues = z.union([z.array(member), member.transform(entry => [entry])])

/**
 * Returns the members after an operation on them, or undefined for another operation. `scim-patch` compares all
 * fields of members, but Entra ID removes members by their ids.
 */
function changeMembers(resource: { members?: z.output<typeof member>[] }, { op, path, value }: Operation) {
  const match = MEMBERS.exec(path ?? '')
  const { id } = match?.groups ?? {}
  const action = op.toLowerCase()
  if (!match || (id !== undefined && action !== 'remove')) return undefined
  const { members = [] } = resource
  const given = id === undefined ? readMembers(value) : [{ value: id }]
  if (action === 'replace') return given ?? []
  const ids = new Set((action === 'add' ? members : (given ?? members)).map(entry => entry.value))
  return action === 'add'
    ? [...members, ...(given ?? []).filter(entry => !ids.has(entry.value))]
    : members.filter(entry => !ids.has(entry.value))
}

/** Returns undefined without a value. Throws ScimProblem. */
function readMembers(value: unknown): z.output<typeof member>[] | undefined {
  if (value === undefined || value === null) return undefined
  const { data, success } = memberValues.safeParse(value)
  if (!success) throw new ScimProblem('invalidValue', 'members: must be a list of objects with a value')
  return data
}

/** Splits an operation without a path into its members and its other attributes. */
function splitMembers(operation: Operation): Operation[] {
  const { op, path, value } = operation
  if (path !== undefined || typeof value !== 'object' || value === null) return [operation]
  const isMembers = ([name]: [string, unknown]) => MEMBERS.test(name)
  const attributes = Object.entries(value)
  const others = attributes.filter(entry => !isMembers(entry))
  return [
    ...attributes.filter(isMembers).map(([name, members]) => ({ op, path: name, value: members as unknown })),
    ...(others.length > 0 ? [{ op, value: Object.fromEntries(others) }] : []),
  ]
}

function containsUnsafeName(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(
    ([name, entry]) =>
      UNSAFE.test(name) || (name === 'path' && UNSAFE.test(String(entry))) || containsUnsafeName(entry),
  )
}
