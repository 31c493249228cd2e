import { isJsonObject, type JsonSchema, type JsonValue, type Problem } from '../../json.ts'
import type { Graph, GraphNode } from '../graph.ts'

const MAX_LISTED_FIELDS = 20

/** Lists expressions that read input fields which the schema excludes. */
export function inputProblems(graph: Graph, schema: JsonSchema, getPointer: (node: GraphNode) => string): Problem[] {
  return [...graph.nodes.values()].flatMap(node => {
    const own = [...node.bindings].flatMap(([at, { inputs }]) =>
      inputs.flatMap(path => unknownField(schema, path).map(message => ({ pointer: getPointer(node) + at, message }))),
    )
    return node.body ? own.concat(inputProblems(node.body, schema, getPointer)) : own
  })
}

/** Returns the problem of a field that `additionalProperties: false` excludes. Nested fields are followed by name. */
function unknownField(schema: JsonValue | undefined, path: string[], at = 'input'): string[] {
  const [name, ...rest] = path
  if (name === undefined || !isJsonObject(schema)) return []
  const { properties, additionalProperties, patternProperties } = schema
  const fields = isJsonObject(properties) ? properties : {}
  if (Object.hasOwn(fields, name)) return unknownField(fields[name], rest, `${at}.${name}`)
  if (additionalProperties !== false || patternProperties !== undefined) return []
  const listed = Object.keys(fields).slice(0, MAX_LISTED_FIELDS).join(', ') || 'none'
  return [`${at} has no field "${name}"; its schema has ${listed}`]
}
