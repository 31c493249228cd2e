/** A node visit in a run or dry run. */
interface Visit {
  key: string
}

/** Returns the node path of a key: `each[3]/fetch` becomes `each/fetch`. */
export const getNodePath = (key: string): string => key.replaceAll(/\[\d+\]/g, '')

/** Returns the iteration index of a container in a key, if the key is inside the container. */
export function readIteration(key: string, container: string): number | undefined {
  if (!key.startsWith(`${container}[`)) return undefined
  return Number.parseInt(key.slice(container.length + 1), 10)
}

/** Lists the indexes of a container's started iterations. */
export const listIterations = (nodes: Visit[], container: string): number[] =>
  [...new Set(nodes.flatMap(({ key }) => readIteration(key, container) ?? []))].toSorted((a, b) => a - b)

/**
 * Returns the node key to show for a path. For each enclosing map or loop, uses the selected iteration, or the last
 * started iteration if none is selected.
 */
export function resolveKey(path: string, selected: string | undefined, nodes: Visit[]): string {
  let key = ''
  for (const id of path.split('/')) {
    if (key === '') {
      key = id
      continue
    }
    const iteration = selected === undefined ? undefined : readIteration(selected, key)
    key = `${key}[${iteration ?? listIterations(nodes, key).at(-1) ?? 0}]/${id}`
  }
  return key
}
