import type { Completion, CompletionResult } from '@codemirror/autocomplete'
import type { EditorState } from '@codemirror/state'
import { findPart, findValueNode, listParts, readName, readScalar, type SyntaxNode } from './json-places.ts'
import { listNodes, listNodesAround } from './written-nodes.ts'

/** Variables available in all expressions, and in the bodies of maps and loops. */
const ROOTS = { input: "the run's input", nodes: 'the previous nodes', run: 'the run itself' }
const IN_BODY: Record<string, Record<string, string>> = {
  map: { item: 'the item', index: 'item index, starting at 0' },
  loop: { iteration: 'iteration number, starting at 1', last: 'output of the previous iteration' },
}
const NODE_FIELDS = {
  output: 'its output',
  status: 'done or failed',
  error: 'its error',
  port: "the node's exit port",
}
const RUN_FIELDS = { id: "the run's job id", requester: 'who started the run' }

/** Completes names in an expression. Returns undefined if the cursor isn't in an expression. */
export function completeExpression(state: EditorState, pos: number, text: SyntaxNode): CompletionResult | undefined {
  const expression = readExpression(state, pos, text)
  if (expression === undefined) return undefined
  const steps = (/[\w.]*$/.exec(expression)?.[0] ?? '').split('.')
  const options = listNames(state, text, steps.slice(0, -1))
  return { from: pos - (steps.at(-1) ?? '').length, options, validFor: /^\w*$/ }
}

/** Returns the part of an expression before the cursor. */
function readExpression(state: EditorState, pos: number, text: SyntaxNode): string | undefined {
  const prefix = state.sliceDoc(text.from + 1, pos)
  const open = prefix.lastIndexOf('${')
  if (open < 0) return isBare(state, text) ? prefix : undefined
  const inside = prefix.slice(open + 2)
  const isClosed = inside.split('}').length > inside.split('{').length
  const isQuoted = inside.split(/\\"|'/).length % 2 === 0
  return isClosed || isQuoted || prefix[open - 1] === '$' ? undefined : inside
}

/** Returns whether a string is a bare expression: a switch's `when` or a loop's `until`. */
function isBare(state: EditorState, text: SyntaxNode): boolean {
  const name = text.parent?.name === 'Property' ? readName(state, text.parent) : ''
  return name === 'when' || (name === 'until' && findLoop(state, text) !== undefined)
}

/** Returns the loop whose `until` contains the text. */
function findLoop(state: EditorState, { parent }: SyntaxNode): SyntaxNode | undefined {
  const owner = parent?.name === 'Property' && readName(state, parent) === 'until' ? parent.parent : null
  return owner && readScalar(state, owner, 'type') === 'loop' ? owner : undefined
}

function listNames(state: EditorState, text: SyntaxNode, [root, ...steps]: string[]): Completion[] {
  if (root === undefined) return buildCompletions({ ...ROOTS, ...readBodyNames(state, text) })
  if (root === 'run' && steps.length === 0) return buildCompletions(RUN_FIELDS)
  if (root === 'nodes' && steps.length === 0) return listIds(state, text).map(label => ({ label }))
  if (root === 'nodes' && steps.length === 1) return buildCompletions(NODE_FIELDS)
  return root === 'input' ? listInputs(state, text, steps).map(label => ({ label })) : []
}

const buildCompletions = (names: Record<string, string>): Completion[] =>
  Object.entries(names).map(([label, detail]) => ({ label, detail }))

/** Returns the variables of the enclosing maps and loops. */
function readBodyNames(state: EditorState, text: SyntaxNode): Record<string, string> {
  const names = findLoop(state, text) ? { ...IN_BODY['loop'] } : {}
  for (let around: SyntaxNode | null = text; around?.parent; around = around.parent)
    if (around.name === 'Property' && readName(state, around) === 'body')
      Object.assign(names, IN_BODY[readScalar(state, around.parent, 'type') ?? ''])
  return names
}

/**
 * Lists the ids of nodes that may have ended: all nodes in the enclosing graphs, except for the enclosing nodes. Ids
 * with a hyphen need brackets.
 */
function listIds(state: EditorState, text: SyntaxNode): string[] {
  const loop = findLoop(state, text)
  const body = loop && findPart(state, loop, 'body')
  const otherNodes = listNodesAround(state, text)
    .flat()
    .filter(({ node }) => text.from < node.from || text.to > node.to)
  const ids = [...(body ? listNodes(state, body) : []), ...otherNodes].map(({ id }) => id)
  return [...new Set(ids)].filter(id => /^\w+$/.test(id))
}

/** Lists the property names at a path in the pathway's input schema. */
function listInputs(state: EditorState, text: SyntaxNode, steps: string[]): string[] {
  let top = text
  while (top.parent) top = top.parent
  let schema = findValueNode(top) && findPart(state, top, 'input')
  for (const step of steps) {
    const properties: SyntaxNode | undefined = schema && findPart(state, schema, 'properties')
    schema = properties && findPart(state, properties, step)
  }
  const properties = schema && findPart(state, schema, 'properties')
  return properties ? listParts(state, properties).map(([name]) => name) : []
}
