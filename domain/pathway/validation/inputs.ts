import { isJsonObject, type JsonSchema, type JsonValue, type Problem } from '../../json.ts'
import type { Graph, GraphNode } from '../graph.ts'

const MAX_LISTED_FIELDS = 20

/** Expressions may not read fields of the input that its schema rules out. */
export function inputProblems(graph: Graph, schema: JsonSchema, getPointer: (node: GraphNode) => string): Problem[] {
  return [...graph.nodes.values()].flatMap(node => {
    const own = [...node.bindings].flatMap(([at, { inputs }]) =>
      inputs.flatMap(path => unknownField(schema, path).map(message => ({ pointer: getPointer(node) + at, message }))),
    )
    return node.body ? own.concat(inputProblems(node.body, schema, getPointer)) : own
  })
}

/** A field is ruled out only where its own level takes no additional properties. What lies below is followed by name. */
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
