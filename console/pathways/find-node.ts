/** A node of a definition. `path` has the ids from the outermost graph on, such as `each/fetch`; `pointer` is its JSON pointer. */
export interface ListedNode {
  path: string
  pointer: string
  node: Record<string, unknown> & { id: string; body?: unknown }
}

/** The nodes of a definition with those of its bodies. What is no node yet, while a person writes, is left out. */
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

/** The node at a path, without the graph inside it. */
export function findNode(definition: unknown, path: string): object | undefined {
  const match = listNodes(definition).find(node => node.path === path)
  if (!match) return undefined
  const { body: _body, ...fields } = match.node
  return fields
}

/** The path of the innermost node that a JSON pointer leads into. */
export const findPathAt = (definition: unknown, pointer: string): string | undefined =>
  listNodes(definition).findLast(node => `${pointer}/`.startsWith(`${node.pointer}/`))?.path
