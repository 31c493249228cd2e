/**
 * A node in a definition. `path` contains the ids from the outermost graph inward, such as `each/fetch`. `pointer` is
 * the node's JSON pointer.
 */
export interface ListedNode {
  path: string
  pointer: string
  node: Record<string, unknown> & { id: string; body?: unknown }
}

/**
 * Lists the nodes in a definition, including nodes in map and loop bodies. Skips incomplete nodes in unfinished text.
 */
export function listNodes(graph: unknown, prefix = '', at = ''): ListedNode[] {
  const nodes = (graph as { nodes?: unknown } | null | undefined)?.nodes
  if (!Array.isArray(nodes)) return []
  return nodes.flatMap((node: ListedNode['node'] | null, i) => {
    if (typeof node?.id !== 'string') return []
    const path = prefix + node.id
    const pointer = `${at}/nodes/${i}`
    return [{ path, pointer, node }].concat(listNodes(node.body, `${path}/`, `${pointer}/body`))
  })
}

/** Returns the node at a path, without its body. */
export function findNode(definition: unknown, path: string): object | undefined {
  const match = listNodes(definition).find(node => node.path === path)
  if (!match) return undefined
  const { body: _body, ...fields } = match.node
  return fields
}

/** Returns the path of the innermost node at a JSON pointer. */
export const findPathAt = (definition: unknown, pointer: string): string | undefined =>
  listNodes(definition).findLast(node => `${pointer}/`.startsWith(`${node.pointer}/`))?.path
