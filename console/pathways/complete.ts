import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  snippetCompletion,
} from '@codemirror/autocomplete'
import type { EditorState } from '@codemirror/state'
import schemas, { type Schema } from 'virtual:pathway-schemas'
import { completeExpression } from './complete-expression.ts'
import {
  findValueNode,
  listParts,
  parseScalar,
  readName,
  readScalar,
  readTree,
  type SyntaxNode,
} from './json-places.ts'
import { listNodesAround, listPorts } from './written-nodes.ts'

/** Properties whose value is a node id in the same graph. */
const REFERENCES = new Set(['from', 'to', 'compensate'])
const SCALARS = new Set(['String', 'Number', 'True', 'False', 'Null'])
/** Templates for new values, with # at the cursor position. */
const FRAMES: Record<string, string> = { string: '"#{}"', object: '{#{}}', array: '[#{}]' }

/**
 * Completes property names and values from the published `pathway/1` schema, node ids, ports, and names in
 * expressions.
 */
export function completePathway({ state, pos, explicit }: CompletionContext): CompletionResult | null {
  const node = readTree(state).resolveInner(pos, -1)
  const { name, parent, from, to } = node
  const offer = (options: Completion[], range: { from: number; to?: number } = { from: pos }) =>
    // An empty string has no text to filter by.
    options.length > 0 ? { ...range, options, filter: pos - range.from > 1 } : null
  if (name === 'PropertyName' && parent?.parent) return offer(listNames(state, parent.parent, parent), { from, to })
  const names = name === 'String' ? completeExpression(state, pos, node) : undefined
  if (names !== undefined) return names
  if (SCALARS.has(name)) return offer(listValues(state, parent?.name === 'Property' ? parent : node), { from, to })
  if (!explicit) return null
  if (name === 'Object') return offer(listNames(state, node))
  return name === 'Property' ? offer(listValues(state, node)) : null
}

/**
 * Lists the property names that an object allows but doesn't have yet. `current` is the property whose name is being
 * typed.
 */
function listNames(state: EditorState, object: SyntaxNode, current?: SyntaxNode): Completion[] {
  const usedNames = new Set(
    listParts(state, object).map(([name, { from }]) => (from === current?.from ? undefined : name)),
  )
  const hasValue = current !== undefined && findValueNode(current) !== undefined
  const options = findSchemas(state, object).flatMap(({ properties = {}, required = [] }) =>
    Object.entries(properties).map(([name, { type = '', description }]): Completion => {
      const isRequired = required.includes(name)
      const option = {
        label: `"${name}"`,
        info: description,
        detail: isRequired ? 'required' : '',
        boost: Number(isRequired),
      }
      return hasValue ? option : snippetCompletion(`"${name}": ${FRAMES[type] ?? '#{}'}`, option)
    }),
  )
  return listDistinct(options).filter(({ label }) => !usedNames.has(parseScalar(label)))
}

/** Lists the possible values of a property or array item. */
function listValues(state: EditorState, part: SyntaxNode): Completion[] {
  const values = findSchemas(state, part).flatMap(schema => {
    if (schema.const !== undefined) return [schema.const]
    return schema.enum ?? (schema.type === 'boolean' ? [true, false] : [])
  })
  return listDistinct([...values, ...listReferences(state, part)].map(value => ({ label: JSON.stringify(value) })))
}

/** Lists the node ids of the enclosing graph, or the ports of an edge's source node. */
function listReferences(state: EditorState, part: SyntaxNode): string[] {
  const name = part.name === 'Property' ? readName(state, part) : ''
  const nodes = listNodesAround(state, part)[0] ?? []
  if (REFERENCES.has(name)) return nodes.map(({ id }) => id)
  const from = name === 'on' && part.parent ? readScalar(state, part.parent, 'from') : undefined
  return nodes.filter(({ id }) => id === from).flatMap(({ node }) => listPorts(state, node))
}

const listDistinct = (options: Completion[]): Completion[] => [
  ...new Map(options.map(option => [option.label, option])).values(),
]

/** Returns the schemas for a value, including property values and array items. */
function findSchemas(state: EditorState, part: SyntaxNode): Schema[] {
  const { name, parent } = part
  if (name === 'JsonText' || !parent) return expand(state, schemas['PathwayDefinition'], part)
  const around = () => findSchemas(state, parent)
  if (name === 'Property') {
    const key = readName(state, part)
    return around().flatMap(({ properties, additionalProperties }) =>
      expand(state, properties?.[key] ?? additionalProperties, part),
    )
  }
  return parent.name === 'Array' ? around().flatMap(({ items }) => expand(state, items, part)) : around()
}

/** Resolves references and branches in a schema. Narrows node schemas by the node's type. */
function expand(state: EditorState, schema: Schema | boolean | undefined, part: SyntaxNode): Schema[] {
  if (typeof schema !== 'object') return []
  if (schema.$ref) return expand(state, schemas[schema.$ref.split('/').at(-1) ?? ''], part)
  const branches = (schema.oneOf ?? schema.anyOf ?? []).flatMap(branch => expand(state, branch, part))
  const type = readScalar(state, part, 'type')
  const fitting = branches.filter(({ properties }) => properties?.['type']?.const === type)
  return [schema, ...(fitting.length > 0 ? fitting : branches)]
}
