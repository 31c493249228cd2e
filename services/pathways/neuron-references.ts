import type { Tx } from '../../data/shared/database.ts'
import { findPinnedResources, type PinnedResource } from '../../data/resources/pinned-resources-store.ts'
import { ValidationError } from '../../domain/shared/errors.ts'
import type { Problem } from '../../domain/shared/json/json.ts'
import { parseReference, placesIn } from './references.ts'

/** Maximum number of different neurons that a run can pin. */
const MAX_REFERENCES = 200

/**
 * Finds the neurons that definitions reference, keyed by reference text. Throws ValidationError if there are too
 * many.
 */
export async function findReferencedNeurons(
  tx: Tx,
  definitions: unknown[],
  brains: string[] | null,
): Promise<Map<string, PinnedResource>> {
  const refs = [...new Set(definitions.flatMap(definition => placesIn(definition, '', 'neuron').map(({ ref }) => ref)))]
  if (refs.length === 0) return new Map()
  if (refs.length > MAX_REFERENCES)
    throw new ValidationError(`The pathway can reference at most ${MAX_REFERENCES} neurons`)
  const neurons = await findPinnedResources(tx, 'neurons', refs.map(parseReference), brains)
  return new Map(neurons.map(pinned => [pinned.ref, pinned]))
}

/** Returns problems with the neuron references in a definition itself. */
export const neuronProblems = (
  definition: unknown,
  neurons: ReadonlyMap<string, PinnedResource>,
  at: string,
): Problem[] =>
  placesIn(definition, at, 'neuron').flatMap(({ ref, pointer }) =>
    neurons.has(ref) ? [] : [{ pointer, message: `there is no neuron "${ref}"` }],
  )
