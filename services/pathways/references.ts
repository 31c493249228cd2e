import type { Tx } from '../../data/database.ts'
import { findPinnedResources, type PinnedResource, type Reference } from '../../data/pinned-resources-store.ts'
import { NotFound, ValidationError } from '../../domain/errors.ts'
import { isJsonObject, type Problem } from '../../domain/json.ts'
import type { PathwayDefinition } from '../../domain/pathway/definition.ts'
import type { Principal } from '../../domain/principal.ts'
import { getResourceKind } from '../../domain/resources/kinds/index.ts'
import { createNotFound } from '../resources/finding.ts'
import type { PathwayDocument } from './document.ts'

/** How many pathways deep a run may go, itself not counted. */
const MAX_DEPTH = 8
/** How many different references a run may pin. */
const MAX_REFERENCES = 200
const MAX_BODY_DEPTH = 10
const TOO_DEEP = `must be nested at most ${MAX_DEPTH} pathways deep`

/** Every pathway that a definition refers to, directly or not, by the text of the reference. */
export type Closure = Map<string, PinnedResource>

/** A reference is a slug or an id, with `@version` where one version is meant. */
export function parseReference(ref: string): Reference {
  const [, name, version] = /^(.+)@([1-9]\d{0,8})$/.exec(ref) ?? []
  return name === undefined ? { ref, name: ref } : { ref, name, version: Number(version) }
}

/** Says of a reference that means nothing whether the resource or only its version does not exist. */
export async function missingReference(
  tx: Tx,
  kind: 'pathways' | 'neurons',
  ref: string,
  principal: Pick<Principal, 'brain_ids'>,
): Promise<NotFound> {
  const { name, version } = parseReference(ref)
  const [head] = version === undefined ? [] : await findPinnedResources(tx, kind, [{ ref, name }], principal.brain_ids)
  return head ? new NotFound(`Version ${version} of the ${getResourceKind(kind).singular}`) : createNotFound(kind)
}

/**
 * Follows references level by level, with one query per level. What means nothing is not in the result. Throws
 * ValidationError when there are too many.
 */
export async function closeOver(tx: Tx, definition: unknown, brains: string[] | null): Promise<Closure> {
  const closure: Closure = new Map()
  const asked = new Set<string>()
  let wanted = refsIn(definition)
  for (let level = 1; level <= MAX_DEPTH && wanted.length > 0; level++) {
    for (const ref of wanted) asked.add(ref)
    if (asked.size > MAX_REFERENCES)
      throw new ValidationError(`The pathway must refer to at most ${MAX_REFERENCES} other pathways`)
    const found = await findPinnedResources(tx, 'pathways', wanted.map(parseReference), brains)
    for (const pinned of found) closure.set(pinned.ref, pinned)
    wanted = [...new Set(found.flatMap(pinned => refsIn(definitionOf(pinned))))].filter(ref => !asked.has(ref))
  }
  return closure
}

/**
 * What is wrong with the references of a definition: those that mean nothing, go in a circle or too deep.
 * @param definition may have problems of its own: what looks like a reference in it is checked
 * @param at pointer prefix of the definition
 * @param selfId the pathway the definition is about to become the head of
 */
export function referenceProblems(definition: unknown, closure: Closure, at: string, selfId?: string): Problem[] {
  const measure = createMeasure(closure, selfId)
  return placesIn(definition, at, 'pathway').flatMap(({ ref, pointer }) => {
    const depth = measure(ref, [])
    return typeof depth === 'string' ? [{ pointer, message: depth }] : []
  })
}

/** Gives how many pathways deep a reference goes, or says why it cannot be followed. */
function createMeasure(closure: Closure, selfId?: string) {
  const depths = new Map<string, number>()

  const explore = (ref: string, trail: string[]): number | string => {
    const found = closure.get(ref)
    const isSelf = found && found.id === selfId && parseReference(ref).version === undefined
    if (isSelf || trail.includes(ref)) return `must not form a cycle: ${[...trail, ref].join(' → ')}`
    if (trail.length >= MAX_DEPTH) return TOO_DEEP
    if (!found) return `there is no pathway "${ref}"${trail.length ? `, which "${trail.at(-1)}" refers to` : ''}`
    let deepest = 0
    for (const inner of refsIn(definitionOf(found))) {
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

export const definitionOf = (pinned: PinnedResource): PathwayDefinition =>
  (pinned.document as PathwayDocument).definition

const refsIn = (definition: unknown): string[] => [
  ...new Set(placesIn(definition, '', 'pathway').map(place => place.ref)),
]

/** Where a graph and the bodies in it refer to others. The graph comes as it was sent, so nothing of it is certain. */
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
