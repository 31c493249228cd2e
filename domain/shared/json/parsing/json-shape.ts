import { invalidRequestError } from '../../invalid-request.ts'
import { isStorable, UNSTORABLE } from '../storable.ts'
import { toPointer } from '../../zod-problems.ts'

/** Maximum levels of arrays and objects. */
const MAX_DEPTH = 64

/** Placeholder for a number that parsing would change, until it is rejected. */
export const INEXACT_NUMBER = Symbol('inexact number')

const INEXACT = 'must be a string: as a JSON number it would lose digits'

interface Location {
  value: unknown
  depth: number
  key: string
  parent?: Location
}

/**
 * Throws ValidationError for JSON that cannot be stored or traversed safely. It must have at most 64 levels, no U+0000
 * or unpaired surrogates (Postgres rejects both), no numbers that don't fit into a double, and no key `__proto__`.
 */
export function assertStorable(json: unknown): void {
  const queue: Location[] = [{ value: json, depth: 0, key: '' }]
  for (let place = queue.pop(); place; place = queue.pop()) {
    const problem = findProblem(place)
    if (problem) throwShapeError(place, problem)
    if (typeof place.value !== 'object' || place.value === null) continue
    for (const [key, value] of Object.entries(place.value))
      queue.push({ value, depth: place.depth + 1, key, parent: place })
  }
}

function findProblem({ value, depth, key }: Location): string | undefined {
  if (key === '__proto__') return 'must have another name'
  if (!isStorable(key)) return 'must not have a key with U+0000 or an unpaired surrogate'
  if (typeof value === 'string' && !isStorable(value)) return UNSTORABLE
  if (value === INEXACT_NUMBER) return INEXACT
  if (typeof value === 'number' && !Number.isFinite(value)) return 'must be a finite number'
  if (typeof value === 'object' && value !== null && depth >= MAX_DEPTH)
    return `must be at most ${MAX_DEPTH} levels deep`
  return undefined
}

function throwShapeError(place: Location, message: string): never {
  const keys: string[] = []
  for (let at: Location | undefined = place; at?.parent; at = at.parent) keys.unshift(at.key)
  const pointer = toPointer(keys)
  throw invalidRequestError([{ pointer, message }])
}
