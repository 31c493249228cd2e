import type { Tx } from '../../data/shared/database.ts'
import {
  findPinnedResources,
  type PinnedResource,
  type Reference,
} from '../../data/resources/pinned-resources-store.ts'
import { NotFound, ValidationError } from '../../domain/shared/errors.ts'
import { isJsonObject, type Problem } from '../../domain/shared/json/json.ts'
import type { PathwayDefinition } from '../../domain/pathways/definition.ts'
import type { BrainAccess } from '../../domain/access/principal.ts'
import { getResourceKind } from '../../domain/resources/kinds/index.ts'
import { visibleBrains } from '../access/brains.ts'
import { notFoundError } from '../resources/finding.ts'
import type { PathwayDocument } from './document.ts'

/** Maximum nesting depth of pathways, not counting the outermost pathway. */
const MAX_DEPTH = 8
/** Maximum number of different references that a run can pin. */
const MAX_REFERENCES = 200
const MAX_BODY_DEPTH = 10
const TOO_DEEP = `must be nested at most ${MAX_DEPTH} pathways deep`

/** The pathways that a definition references, directly or indirectly, keyed by reference text. */
export type Closure = Map<string, PinnedResource>

/** Parses a reference: slug or id, with an optional `@version`. */
export function parseReference(ref: string): Reference {
  const [, name, version] = /^(.+)@([1-9]\d{0,8})$/.exec(ref) ?? []
  return name === undefined ? { ref, name: ref } : { ref, name, version: Number(version) }
}

/** Returns a problem if the target does not exist. Malformed targets are already reported by schema validation. */
export async function targetProblems(
  tx: Tx,
  principal: BrainAccess,
  { type, ref }: { type?: unknown; ref?: unknown },
  pointer: string,
): Promise<Problem[]> {
  if ((type !== 'pathway' && type !== 'neuron') || typeof ref !== 'string') return []
  const [target] = await findPinnedResources(tx, `${type}s`, [parseReference(ref)], visibleBrains(principal))
  return target ? [] : [{ pointer, message: `there is no ${type} "${ref}"` }]
}

/** Returns the error for an unresolved reference: the resource or the version is missing. */
export async function missingReferenceError(
  tx: Tx,
  kind: 'pathways' | 'neurons',
  ref: string,
  principal: BrainAccess,
): Promise<NotFound> {
  const { name, version } = parseReference(ref)
  const [head] =
    version === undefined ? [] : await findPinnedResources(tx, kind, [{ ref, name }], visibleBrains(principal))
  return head ? new NotFound(`Version ${version} of the ${getResourceKind(kind).singular}`) : notFoundError(kind)
}

/**
 * Follows references level by level, with one query per level. References that match no pathway are omitted. Throws
 * ValidationError if there are too many references.
 */
export async function closeOver(tx: Tx, definition: unknown, brains: string[] | null): Promise<Closure> {
  const closure: Closure = new Map()
  const visited = new Set<string>()
  let pendingRefs = refsIn(definition)
  for (let level = 1; level <= MAX_DEPTH && pendingRefs.length > 0; level++) {
    for (const ref of pendingRefs) visited.add(ref)
    if (visited.size > MAX_REFERENCES)
      throw new ValidationError(`The pathway can reference at most ${MAX_REFERENCES} other pathways`)
    const pathways = await findPinnedResources(tx, 'pathways', pendingRefs.map(parseReference), brains)
    for (const pinned of pathways) closure.set(pinned.ref, pinned)
    pendingRefs = [...new Set(pathways.flatMap(pinned => refsIn(getDefinition(pinned))))].filter(
      ref => !visited.has(ref),
    )
  }
  return closure
}

/**
 * Returns problems with the references in a definition: missing, cyclic or too deeply nested.
 * @param definition not validated, but all references in it are checked
 * @param at pointer prefix for the definition
 * @param selfId the pathway that will have this definition
 */
export function referenceProblems(definition: unknown, closure: Closure, at: string, selfId?: string): Problem[] {
  const measure = createMeasure(closure, selfId)
  return placesIn(definition, at, 'pathway').flatMap(({ ref, pointer }) => {
    const depth = measure(ref, [])
    return typeof depth === 'string' ? [{ pointer, message: depth }] : []
  })
}

/** Creates a function that returns a reference's depth, or the problem that prevents its resolution. */
function createMeasure(closure: Closure, selfId?: string) {
  const depths = new Map<string, number>()

  const explore = (ref: string, trail: string[]): number | string => {
    const pathway = closure.get(ref)
    const isSelf = pathway && pathway.id === selfId && parseReference(ref).version === undefined
    if (isSelf || trail.includes(ref)) return `must not form a cycle: ${[...trail, ref].join(' → ')}`
    if (trail.length >= MAX_DEPTH) return TOO_DEEP
    if (!pathway) return `there is no pathway "${ref}"${trail.length ? `, referenced by "${trail.at(-1)}"` : ''}`
    let deepest = 0
    for (const inner of refsIn(getDefinition(pathway))) {
      const depth = measure(inner, [...trail, ref])
      if (typeof depth === 'string') return depth
      deepest = Math.max(deepest, depth)
    }
    depths.set(ref, deepest + 1)
    return deepest + 1
  }

  const measure = (ref: string, trail: string[]): number | string => {
    const depth = depths.get(ref) ?? explore(ref, trail)
    return typeof depth === 'number' && trail.length + depth > MAX_DEPTH ? TOO_DEEP : depth
  }
  return measure
}

export const getDefinition = (pinned: PinnedResource): PathwayDefinition =>
  (pinned.document as PathwayDocument).definition

const refsIn = (definition: unknown): string[] => [
  ...new Set(placesIn(definition, '', 'pathway').map(place => place.ref)),
]

/** Finds the references in a graph, including nested bodies. Does not require a valid graph. */
export function placesIn(
  body: unknown,
  at: string,
  type: 'pathway' | 'neuron',
  bodies = 0,
): { ref: string; pointer: string }[] {
  const nodes = isJsonObject(body) && Array.isArray(body.nodes) ? (body.nodes as unknown[]) : []
  return nodes.flatMap((node, i) => {
    if (!isJsonObject(node)) return []
    if (node.type === type)
      return typeof node.ref === 'string' ? [{ ref: node.ref, pointer: `${at}/nodes/${i}/ref` }] : []
    return bodies < MAX_BODY_DEPTH ? placesIn(node.body, `${at}/nodes/${i}/body`, type, bodies + 1) : []
  })
}
