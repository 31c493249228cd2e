import type { Body, PathwayNode } from './definition.ts'

/** Lists the nodes of a graph, each node before the nodes in its body. */
export const listNodes = (body: Body): PathwayNode[] =>
  body.nodes.flatMap(node => ('body' in node ? [node, ...listNodes(node.body)] : [node]))
