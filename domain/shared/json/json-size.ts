/** Maximum depth of a definition, schema, checked value or result. */
export const MAX_DEPTH = 200

export interface JsonExtent {
  /** Number of values, including the outermost one. */
  values: number
  /** Levels of nested lists and objects. 0 for a scalar. */
  depth: number
}

/**
 * Counts the values and levels of a value, one level at a time, so that deep values don't overflow the stack. Stops
 * counting below `maxDepth` levels.
 */
export function measureExtent(value: unknown, maxDepth = Infinity): JsonExtent {
  const extent = { values: 1, depth: 0 }
  for (let level = filterContainers([value]); level.length > 0 && extent.depth <= maxDepth; extent.depth++) {
    const inner = level.map(part => (Array.isArray(part) ? part : Object.values(part)) as unknown[])
    for (const parts of inner) extent.values += parts.length
    level = inner.flatMap(filterContainers)
  }
  return extent
}

const filterContainers = (values: unknown[]): object[] =>
  values.filter(value => typeof value === 'object' && value !== null)

/** Returns the approximate JSON length of a value. Stops counting beyond `max` characters. */
export function measureJson(value: unknown, max: number): number {
  const open = [value]
  let length = 0
  while (open.length > 0 && length <= max) {
    const part = open.pop()
    length += typeof part === 'string' ? part.length + 3 : 3
    if (typeof part !== 'object' || part === null) continue
    if (!Array.isArray(part)) for (const key of Object.keys(part)) length += key.length + 3
    for (const inner of Object.values(part)) open.push(inner)
  }
  return length
}

/** Returns whether a value's JSON is longer than about `chars` characters. */
export const exceedsJsonSize = (value: unknown, chars: number): boolean => measureJson(value, chars) > chars
