import { ensureSyntaxTree, syntaxTree } from '@codemirror/language'
import type { EditorState } from '@codemirror/state'

export type SyntaxNode = ReturnType<typeof syntaxTree>['topNode']

const MAX_READ_MS = 500

export const readTree = (state: EditorState) =>
  ensureSyntaxTree(state, state.doc.length, MAX_READ_MS) ?? syntaxTree(state)

/** The tree also contains nodes for brackets, commas and errors. */
const isValue = ({ name }: SyntaxNode): boolean => /^[A-Z]/.test(name) && name !== 'PropertyName'

function listValues(parent: SyntaxNode): SyntaxNode[] {
  const values: SyntaxNode[] = []
  for (let node = parent.firstChild; node; node = node.nextSibling) if (isValue(node)) values.push(node)
  return values
}

export const findValueNode = (part: SyntaxNode): SyntaxNode | undefined =>
  part.name === 'Property' || part.name === 'JsonText' ? listValues(part)[0] : part

/** Lists the properties of an object by name, or the items of an array by index. */
export function listParts(state: EditorState, part: SyntaxNode): [key: string, part: SyntaxNode][] {
  const value = findValueNode(part)
  if (value?.name === 'Object')
    return value.getChildren('Property').map(property => [readName(state, property), property])
  return value?.name === 'Array' ? listValues(value).map((item, i) => [String(i), item]) : []
}

export function readName(state: EditorState, property: SyntaxNode): string {
  const { from, to } = property.firstChild ?? property
  return parseScalar(state.sliceDoc(from, to))
}

/** Returns the object's property with this name. */
export const findPart = (state: EditorState, part: SyntaxNode, name: string): SyntaxNode | undefined =>
  listParts(state, part).find(([key]) => key === name)?.[1]

/** Returns the text of an object's property, unless the property's value is an object. */
export function readScalar(state: EditorState, part: SyntaxNode, name: string): string | undefined {
  const property = findPart(state, part, name)
  const value = property && findValueNode(property)
  return value && parseScalar(state.sliceDoc(value.from, value.to))
}

/** Returns the text of a name or scalar value without quotes, even if the closing quote is missing. */
export const parseScalar = (text: string): string => {
  try {
    return String(JSON.parse(text))
  } catch {
    return text.replace(/^"/, '')
  }
}

/**
 * Returns the text range for a JSON pointer: a scalar value, the name of a longer value, or the first line of an
 * item. A missing value, such as a missing property, maps to its parent.
 */
export function findRange(state: EditorState, pointer: string): { from: number; to: number } {
  let part = readTree(state).topNode
  for (const key of pointer.split('/').slice(1)) {
    const name = key.replaceAll('~1', '/').replaceAll('~0', '~')
    const next = listParts(state, part).find(([partName]) => partName === name)?.[1]
    if (!next) break
    part = next
  }
  const value = findValueNode(part)
  const isScalar = value !== undefined && value.name !== 'Object' && value.name !== 'Array'
  const { from, to } = isScalar ? value : part.name === 'Property' ? (part.firstChild ?? part) : (value ?? part)
  return { from, to: Math.min(to, state.doc.lineAt(from).to) }
}

/** Returns the JSON pointer of the value at a position. */
export function findPointer(state: EditorState, position: number): string {
  let pointer = ''
  for (let node: SyntaxNode | null = readTree(state).resolveInner(position, -1); node?.parent; node = node.parent) {
    const { parent, from }: SyntaxNode = node
    if (node.name === 'Property') pointer = `/${escape(readName(state, node))}${pointer}`
    if (parent.name === 'Array' && isValue(node))
      pointer = `/${listValues(parent).findIndex(item => item.from === from)}${pointer}`
  }
  return pointer
}

const escape = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')
