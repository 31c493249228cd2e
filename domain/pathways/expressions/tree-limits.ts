import type { ASTNode } from '@marcbachmann/cel-js'
import { visitNodes } from './tree.ts'

/** The library limits brackets only. A chain of operators is a deep tree too, and its evaluation needs stack. */
const MAX_TREE_DEPTH = 500
/** 60 literals inside each other have a type of 800 characters. */
const MAX_TYPE_NAME = 2_000

type Check = (this: ASTNode, checker: unknown, ast: unknown, context: unknown) => { name: string }
/** Every node of the tree has a method `check`, which the types of the library omit. */
type CheckedNode = ASTNode & { check: Check }

/** Limits a tree that is not checked yet: its depth at once, its types when they are checked. Throws. */
export function limitTree(root: ASTNode): void {
  visitNodes(root, (node, { depth }) => {
    if (depth > MAX_TREE_DEPTH) throw new Error(`must have at most ${MAX_TREE_DEPTH} operators in a row`)
    limitType(node as CheckedNode)
  })
}

/** A map whose keys and values are maps doubles the name of its type: 30 of them would have one of gigabytes. */
function limitType(node: CheckedNode): void {
  const { check } = node
  node.check = (checker, ast, context) => {
    const type = check.call(node, checker, ast, context)
    if (type.name.length > MAX_TYPE_NAME) throw new Error('lists and maps are nested too deeply')
    return type
  }
}
