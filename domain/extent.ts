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
