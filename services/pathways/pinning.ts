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
 * Resolves the pathway of a run by slug or id, with `@version` for a former version. Returns undefined when no visible
 * pathway matches; throws Conflict when it is switched off.
 */
export async function resolvePinned(tx: Tx, ref: string, principal: BrainAccess): Promise<PinnedPathway | undefined> {
  const [pathway] = await findPinnedResources(tx, 'pathways', [parseReference(ref)], visibleBrains(principal))
  return pathway && pin(pathway)
}

/** The resources that a run refers to, by the text of the reference. */
export interface Pins {
  subflows: Record<string, PinnedPathway>
  neurons: Record<string, PinnedNeuron>
}

/**
 * Pins all pathways and neurons that a definition refers to, directly or indirectly, so that later edits do not change
 * the run. Throws ValidationError with every reference that is missing, cyclic or too deep, and Conflict when a
 * resource is switched off.
 * @param at pointer prefix of the definition in the request
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
  if (!is_active) throw new Conflict(`The neuron "${slug}" is switched off`)
  return { id, slug, version, title }
}

function pin(resource: PinnedResource): PinnedPathway {
  if (!resource.is_active) throw new Conflict(`The pathway "${resource.slug}" is switched off`)
  const { id, slug, version, title } = resource
  return { id, slug, version, title, definition: getDefinition(resource) }
}

/**
 * Pins a pathway with the resources, tools and calendars that a run of it needs, at their current versions. Throws what
 * `pinAll`, `pinTools` and `pinCalendars` throw.
 * @param at pointer prefix of the definition: in the request, or in the stored pathway
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
