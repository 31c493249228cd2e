import type { Tx } from '../../data/database.ts'
import { findPinnedResources, type PinnedResource } from '../../data/pinned-resources-store.ts'
import { Conflict, ValidationError } from '../../domain/errors.ts'
import type { PathwayDefinition, PinnedPathway } from '../../domain/pathway/definition.ts'
import type { PinnedNeuron } from '../../domain/neurons/run-spec.ts'
import type { Principal } from '../../domain/principal.ts'
import { neuronProblems, neuronsOf } from './neuron-references.ts'
import { pinTools } from './tools.ts'
import { closeOver, definitionOf, parseReference, referenceProblems } from './references.ts'

type Reader = Pick<Principal, 'brain_ids'>

/**
 * The pathway a run starts with, as of now: by slug or id, `@version` where an older one is meant. Undefined when there
 * is none the reader may see. Throws Conflict when it is switched off.
 */
export async function resolvePinned(tx: Tx, ref: string, principal?: Reader): Promise<PinnedPathway | undefined> {
  const [found] = await findPinnedResources(tx, 'pathways', [parseReference(ref)], principal?.brain_ids)
  return found && pin(found)
}

/** All that a run needs of what its definition refers to, by the text of the reference. */
export interface Pins {
  subflows: Record<string, PinnedPathway>
  neurons: Record<string, PinnedNeuron>
}

/**
 * Every pathway and neuron a definition refers to, directly or not: a run that holds these is never changed by a later
 * edit. Throws ValidationError with every reference that means nothing, goes in a circle or too deep and Conflict when
 * one is switched off.
 * @param at pointer prefix of the definition in what was sent
 */
export async function pinAll(tx: Tx, definition: PathwayDefinition, principal?: Reader, at = ''): Promise<Pins> {
  const brains = principal?.brain_ids ?? null
  const closure = await closeOver(tx, definition, brains)
  const neurons = await neuronsOf(tx, [definition, ...[...closure.values()].map(definitionOf)], brains)
  const problems = [...referenceProblems(definition, closure, at), ...neuronProblems(definition, neurons, at)]
  if (problems.length > 0) throw new ValidationError('The pathway has references that cannot be resolved', problems)
  return {
    subflows: Object.fromEntries([...closure].map(([ref, found]) => [ref, pin(found)])),
    neurons: Object.fromEntries([...neurons].map(([ref, found]) => [ref, pinNeuron(found)])),
  }
}

function pinNeuron({ id, slug, version, title, is_active }: PinnedResource): PinnedNeuron {
  if (!is_active) throw new Conflict(`The neuron "${slug}" is switched off`)
  return { id, slug, version, title }
}

function pin(found: PinnedResource): PinnedPathway {
  if (!found.is_active) throw new Conflict(`The pathway "${found.slug}" is switched off`)
  const { id, slug, version, title } = found
  return { id, slug, version, title, definition: definitionOf(found) }
}

/**
 * A pathway with all that a run of it needs: what it refers to and the tools it calls, at the versions of now. Throws
 * what `pinAll` throws.
 */
export async function pinRun(tx: Tx, principal: Reader, { definition, ...pathway }: PinnedPathway, at = '') {
  return pinTools(tx, principal, { pathway, definition, ...(await pinAll(tx, definition, principal, at)) }, at)
}
