import type { EditorState } from '@codemirror/state'
import { findPart, listParts, readScalar, type SyntaxNode } from './json-places.ts'

export interface WrittenNode {
  id: string
  node: SyntaxNode
}

/** The nodes of the graphs around a place, the innermost graph first. */
export function listNodesAround(state: EditorState, place: SyntaxNode): WrittenNode[][] {
  const graphs: WrittenNode[][] = []
  for (let around: SyntaxNode | null = place; around; around = around.parent)
    if (around.name === 'Object' && findPart(state, around, 'nodes')) graphs.push(listNodes(state, around))
  return graphs
}

/** The nodes of a graph that have an id already. */
export function listNodes(state: EditorState, graph: SyntaxNode): WrittenNode[] {
  const nodes = findPart(state, graph, 'nodes')
  return (nodes ? listParts(state, nodes) : []).flatMap(([, node]) => {
    const id = readScalar(state, node, 'id')
    return id === undefined ? [] : [{ id, node }]
  })
}
