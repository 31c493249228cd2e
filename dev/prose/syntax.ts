import { parseSync } from 'oxc-parser'

/** A node of a TypeScript syntax tree. `start` and `end` are UTF-16 offsets. */
export interface Node {
  type: string
  start: number
  end: number
  [key: string]: unknown
}

export type Comment = ReturnType<typeof parseSync>['comments'][number]

/** Parses a TypeScript file into its syntax tree and its comments. */
export function parseSource(path: string, source: string): { program: Node; comments: Comment[] } {
  const { program, comments } = parseSync(path, source)
  return { program: program as unknown as Node, comments }
}

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'

export const listChildren = (node: Node): Node[] => Object.values(node).flatMap(value => [value].flat().filter(isNode))
