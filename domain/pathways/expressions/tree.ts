import type { ASTNode } from '@marcbachmann/cel-js'

const isNode = (part: object): part is ASTNode => 'op' in part && 'args' in part

export interface Place {
  parent: ASTNode | undefined
  /** Index among the parts of the parent. */
  position: number
  /** Number of enclosing nodes. */
  depth: number
}

/** Calls `visit` for each node of a tree, parents first. */
export function visitNodes(root: ASTNode, visit: (node: ASTNode, place: Place) => void): void {
  const visited = new Set<unknown>()
  const traverse = (part: unknown, place: Place): void => {
    if (typeof part !== 'object' || part === null || visited.has(part)) return
    if (Array.isArray(part)) {
      for (const [position, entry] of part.entries()) traverse(entry, { ...place, position })
      return
    }
    if (!isNode(part)) return
    visited.add(part)
    visit(part, place)
    traverse(part.args, { parent: part, position: 0, depth: place.depth + 1 })
  }
  traverse(root, { parent: undefined, position: 0, depth: 0 })
}
