import type { EditorState } from '@codemirror/state'
import { ACTIONS } from '../../domain/people/intervention.ts'
import { DEFAULT_PORT, ERROR_PORT, EXHAUSTED_PORT, TIMEOUT_PORT } from '../../domain/pathways/definition.ts'
import { findPart, listParts, readScalar, type SyntaxNode } from './json-places.ts'

export interface WrittenNode {
  id: string
  node: SyntaxNode
}

/** Lists the nodes of the enclosing graphs, innermost first. */
export function listNodesAround(state: EditorState, place: SyntaxNode): WrittenNode[][] {
  const graphs: WrittenNode[][] = []
  for (let around: SyntaxNode | null = place; around; around = around.parent)
    if (around.name === 'Object' && findPart(state, around, 'nodes')) graphs.push(listNodes(state, around))
  return graphs
}

/** Lists the nodes of a graph that already have an id. */
export function listNodes(state: EditorState, graph: SyntaxNode): WrittenNode[] {
  const nodes = findPart(state, graph, 'nodes')
  return (nodes ? listParts(state, nodes) : []).flatMap(([, node]) => {
    const id = readScalar(state, node, 'id')
    return id === undefined ? [] : [{ id, node }]
  })
}

/** Lists the ports of a node, which may be incomplete. */
export function listPorts(state: EditorState, node: SyntaxNode): string[] {
  const type = readScalar(state, node, 'type')
  if (type === 'end') return []
  const hasLimit = ['timeout', 'due'].some(name => findPart(state, node, name))
  return [...listOwnPorts(state, node, type), ...(hasLimit ? [TIMEOUT_PORT] : []), ERROR_PORT]
}

function listOwnPorts(state: EditorState, node: SyntaxNode, type: string | undefined): readonly string[] {
  if (type === 'loop') return [DEFAULT_PORT, EXHAUSTED_PORT]
  if (type === 'human') {
    const kind = readScalar(state, node, 'kind')
    return kind !== undefined && kind in ACTIONS ? ACTIONS[kind as keyof typeof ACTIONS] : []
  }
  if (type !== 'switch') return [DEFAULT_PORT]
  const cases = findPart(state, node, 'cases')
  const ports = (cases ? listParts(state, cases) : []).flatMap(([, entry]) => readScalar(state, entry, 'port') ?? [])
  return [...ports, readScalar(state, node, 'default') ?? DEFAULT_PORT]
}
