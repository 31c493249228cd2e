import {
  type DocumentOptions,
  isMap,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  type SchemaOptions,
  stringify,
  type ToStringOptions,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml'
import { isSame } from './same.ts'

export type YamlFormat = DocumentOptions & SchemaOptions & ToStringOptions

interface Source {
  text: string
  format: YamlFormat
}

/** A replacement for one part of the text. */
interface TextEdit {
  start: number
  end: number
  text: string
}

/**
 * Replaces the values in a YAML text that differ from `newValues`. All other lines and comments stay unchanged.
 * Returns undefined if the values cannot be replaced individually, for example in a text with anchors.
 */
export function replaceValues(text: string, newValues: object, format: YamlFormat): string | undefined {
  const root = parseDocument(text, format).contents
  if (!isMap(root) || root.flow) return undefined
  const edited = editMap({ text, format }, root, newValues)
    .toSorted((a, b) => b.start - a.start)
    .reduce((whole, edit) => whole.slice(0, edit.start) + edit.text + whole.slice(edit.end), text)
  const result = parseDocument(edited, format)
  return result.errors.length === 0 && isSame(result.toJS(), newValues) ? edited : undefined
}

function editMap(source: Source, map: YAMLMap, newValues: object): TextEdit[] {
  const pairs = map.items as Pair<Node, Node | null>[]
  const rest = new Map(Object.entries(newValues))
  const edits = pairs.flatMap((pair, i) => {
    const key = String(pair.key)
    const value: unknown = rest.get(key)
    if (!rest.delete(key)) return removeLines(source, pair.key, pair.value ?? pair.key, pairs[i + 1]?.key)
    const inner = editInside(source, pair.value, value)
    if (inner) return inner
    const start = startOf(pair.key)
    return { start, end: endOf(source, pair.value ?? pair.key), text: render(source, { [key]: value }, start) }
  })
  const last = pairs.at(-1)
  if (rest.size === 0 || !last) return edits
  const column = columnOf(source, startOf(map))
  const insertion = render(source, Object.fromEntries(rest), startOf(map))
  return [...edits, insertLines(source, last.value ?? last.key, ' '.repeat(column) + insertion)]
}

/** Edits the items between the unchanged items at the start and at the end of a list. */
function editSeq(source: Source, seq: YAMLSeq, newItems: unknown[]): TextEdit[] {
  const items = seq.items as Node[]
  const isKept = (item: Node | undefined, value: unknown) => item !== undefined && isSame(item.toJSON(), value)
  const shorter = Math.min(items.length, newItems.length)
  let first = 0
  while (first < shorter && isKept(items[first], newItems[first])) first++
  let keptCount = 0
  while (keptCount < shorter - first && isKept(items.at(-1 - keptCount), newItems.at(-1 - keptCount))) keptCount++
  const changedNodes = items.slice(first, items.length - keptCount)
  const values = newItems.slice(first, newItems.length - keptCount)
  const edits = changedNodes.flatMap((item, i) => {
    if (i >= values.length) return removeLines(source, item, item, items[first + i + 1])
    const start = startOf(item)
    return (
      editInside(source, item, values[i]) ?? { start, end: endOf(source, item), text: render(source, values[i], start) }
    )
  })
  const addedValues = values.slice(changedNodes.length)
  if (addedValues.length === 0) return edits
  const indent = ' '.repeat(columnOf(source, startOf(seq)))
  const text = render(source, addedValues, startOf(seq))
  const previous = items[first + changedNodes.length - 1]
  if (previous) return [...edits, insertLines(source, previous, indent + text)]
  return [...edits, { start: startOf(seq), end: startOf(seq), text: `${text}\n${indent}` }]
}

/**
 * Returns the edits needed inside a value, or undefined if the value must be replaced as a whole. An equal value
 * needs no edits.
 */
function editInside(source: Source, node: Node | null, newValue: unknown): TextEdit[] | undefined {
  if (isSame(node?.toJSON() ?? null, newValue)) return []
  if (typeof newValue !== 'object' || newValue === null || Object.keys(newValue).length === 0) return undefined
  if (isMap(node) && !node.flow && !Array.isArray(newValue)) return editMap(source, node, newValue)
  if (isSeq(node) && !node.flow && Array.isArray(newValue)) return editSeq(source, node, newValue)
  return undefined
}

const startOf = (node: Node): number => node.range?.[0] ?? 0

/** Returns the end position of a value, without trailing spaces and line breaks. */
const endOf = ({ text }: Source, node: Node): number => {
  const [start, end] = node.range ?? [0, 0]
  return start + text.slice(start, end).trimEnd().length
}

const columnOf = ({ text }: Source, position: number): number => position - lineStartOf(text, position)
const lineStartOf = (text: string, position: number): number => text.lastIndexOf('\n', position - 1) + 1
const lineEndOf = (text: string, position: number): number => {
  const end = text.indexOf('\n', position)
  return end < 0 ? text.length : end
}

/** Renders a value whose first line starts at the given position. */
const render = (source: Source, value: unknown, position: number): string =>
  stringify(value, source.format)
    .trimEnd()
    .replaceAll(/\n(?=[^\n])/g, `\n${' '.repeat(columnOf(source, position))}`)

/** Inserts lines after the line where a node ends. */
function insertLines(source: Source, after: Node, lines: string): TextEdit {
  const end = lineEndOf(source.text, endOf(source, after))
  return { start: end, end, text: `\n${lines}` }
}

/** Removes the lines from one node to the end of another. The first entry of an item shares a line with the dash. */
function removeLines(source: Source, from: Node, to: Node, next: Node | undefined): TextEdit {
  const lineStart = lineStartOf(source.text, startOf(from))
  if (/^[\s-]*-\s/.test(source.text.slice(lineStart, startOf(from))) && next && from !== to)
    return { start: startOf(from), end: startOf(next), text: '' }
  return { start: lineStart, end: lineEndOf(source.text, endOf(source, to)) + 1, text: '' }
}
