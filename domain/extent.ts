/** How much a JSON value holds. Counted layer by layer, so no depth can overflow the stack. */
export interface Extent {
  /** Values inside it, itself included. */
  values: number
  /** Lists and objects inside each other; a scalar has 0. */
  depth: number
}

/** Levels a definition, a schema, a checked value or a result may have; far more than anyone writes by hand. */
export const MAX_DEPTH = 200

export function extentOf(value: unknown): Extent {
  const extent = { values: 1, depth: 0 }
  for (let layer = holders([value]); layer.length > 0; extent.depth++) {
    const inner = layer.map(part => (Array.isArray(part) ? part : Object.values(part)) as unknown[])
    for (const parts of inner) extent.values += parts.length
    layer = inner.flatMap(holders)
  }
  return extent
}

const holders = (values: unknown[]): object[] => values.filter(value => typeof value === 'object' && value !== null)

/** Whether a JSON value comes to more than so many characters, or about so: each value in it counts some for itself. */
export function isLongerThan(characters: number, value: unknown): boolean {
  const open = [value]
  let left = characters
  while (open.length > 0 && left >= 0) {
    const part = open.pop()
    left -= typeof part === 'string' ? part.length + 3 : 3
    if (typeof part !== 'object' || part === null) continue
    for (const [key, inner] of Object.entries(part)) {
      if (!Array.isArray(part)) left -= key.length + 3
      open.push(inner)
    }
  }
  return left < 0
}
