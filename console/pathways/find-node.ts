import type { PathwayDefinition } from '@ganglion/client'

interface Graph {
  nodes: { id: string; body?: Graph }[]
}

/** The node at a path such as `each/fetch`, without the graph inside it. */
export function findNode(definition: PathwayDefinition, path: string): object | undefined {
  let graph: Graph | undefined = definition
  let found: Graph['nodes'][number] | undefined
  for (const id of path.split('/')) {
    found = graph?.nodes.find(node => node.id === id)
    graph = found?.body
  }
  if (!found) return undefined
  const { body: _body, ...fields } = found
  return fields
}
