import type { Tx } from '../../data/shared/database.ts'
import { findPinnedResources, type PinnedResource } from '../../data/resources/pinned-resources-store.ts'
import { Conflict, ValidationError } from '../../domain/shared/errors.ts'
import type { PathwayDefinition, PinnedPathway } from '../../domain/pathways/definition.ts'
import type { PinnedNeuron } from '../../domain/agents/run-spec.ts'
import type { BrainAccess } from '../../domain/access/principal.ts'
import { visibleBrains } from '../access/brains.ts'
import { neuronProblems, findReferencedNeurons } from './neuron-references.ts'
import { pinCalendars } from './calendars.ts'
import { pinTools } from './tools.ts'
import { closeOver, getDefinition, parseReference, referenceProblems } from './references.ts'

/**
 * Resolves a run's pathway by slug or id, with `@version` for a specific version. Returns undefined if no visible
 * pathway matches. Throws Conflict if the pathway is inactive.
 */
export async function resolvePinned(tx: Tx, ref: string, principal: BrainAccess): Promise<PinnedPathway | undefined> {
  const [pathway] = await findPinnedResources(tx, 'pathways', [parseReference(ref)], visibleBrains(principal))
  return pathway && pin(pathway)
}

/** The resources that a run references, keyed by reference text. */
export interface Pins {
  subflows: Record<string, PinnedPathway>
  neurons: Record<string, PinnedNeuron>
}

/**
 * Pins all pathways and neurons that a definition references, directly or indirectly, so that later edits do not
 * affect the run. Throws ValidationError that lists every missing, cyclic or too deeply nested reference. Throws
 * Conflict if a resource is inactive.
 * @param at pointer prefix for the definition in the request
 */
export async function pinAll(tx: Tx, definition: PathwayDefinition, principal: BrainAccess, at = ''): Promise<Pins> {
  const brains = visibleBrains(principal)
  const closure = await closeOver(tx, definition, brains)
  const neurons = await findReferencedNeurons(tx, [definition, ...[...closure.values()].map(getDefinition)], brains)
  const problems = [...referenceProblems(definition, closure, at), ...neuronProblems(definition, neurons, at)]
  if (problems.length > 0) throw new ValidationError('The pathway has references that cannot be resolved', problems)
  return {
    subflows: Object.fromEntries([...closure].map(([ref, resource]) => [ref, pin(resource)])),
    neurons: Object.fromEntries([...neurons].map(([ref, resource]) => [ref, pinNeuron(resource)])),
  }
}

function pinNeuron({ id, slug, version, title, is_active }: PinnedResource): PinnedNeuron {
  if (!is_active) throw new Conflict(`The neuron "${slug}" is inactive`)
  return { id, slug, version, title }
}

function pin(resource: PinnedResource): PinnedPathway {
  if (!resource.is_active) throw new Conflict(`The pathway "${resource.slug}" is inactive`)
  const { id, slug, version, title } = resource
  return { id, slug, version, title, definition: getDefinition(resource) }
}

/**
 * Pins a pathway with the resources, tools and calendars that a run needs, at their current versions. Throws the same
 * errors as `pinAll`, `pinTools` and `pinCalendars`.
 * @param at pointer prefix for the definition, either in the request or in the stored pathway
 */
export async function pinRun(tx: Tx, principal: BrainAccess, { definition, ...pathway }: PinnedPathway, at: string) {
  const pinned = await pinTools(
    tx,
    principal,
    { pathway, definition, ...(await pinAll(tx, definition, principal, at)) },
    at,
  )
  return pinCalendars(tx, pinned, at)
}
