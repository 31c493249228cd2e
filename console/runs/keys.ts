/** A visit of a node, in a run or in a dry run. */
interface Visit {
  key: string
}

/** `each[3]/fetch` is drawn at `each/fetch`. */
export const getNodePath = (key: string): string => key.replaceAll(/\[\d+\]/g, '')

/** The number of the iteration of a container in a key, if it is inside. */
export function readIteration(key: string, container: string): number | undefined {
  if (!key.startsWith(`${container}[`)) return undefined
  return Number.parseInt(key.slice(container.length + 1), 10)
}

/** The numbers of the iterations of a container that have begun. */
export const listIterations = (nodes: Visit[], container: string): number[] =>
  [...new Set(nodes.flatMap(({ key }) => readIteration(key, container) ?? []))].toSorted((a, b) => a - b)

/**
 * The key of what is drawn at a path: of each map and loop around it, the iteration that is chosen, or else the last one
 * that has begun.
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
