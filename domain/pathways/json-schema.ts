import { DURATION_PATTERN } from '../shared/durations.ts'
import { type JsonObject, type JsonSchema, type JsonValue, isJsonObject } from '../shared/json/json.ts'
import { getNodeKind, NODE_TYPES } from './kinds/index.ts'
import { BODY, DEFINITION, nodeSchema } from './validation/shape.ts'

const buildNodeSchemaName = (type: string): string => `Pathway${type.charAt(0).toUpperCase()}${type.slice(1)}Node`

/**
 * Returns the JSON Schemas of the `pathway/1` format by name, starting with `PathwayDefinition`. They have the same
 * rules as the schemas that validate definitions, but refer to each other, because validation traverses nodes and
 * bodies itself. They use only standard keywords and OpenAPI's `discriminator`, which other validators ignore.
 * @param base location of the schemas, such as `#/components/schemas/`
 */
export function pathwaySchemas(base: string): Record<string, JsonSchema> {
  const refTo = (name: string): JsonSchema => ({ $ref: base + name })
  const withProperty = (schema: JsonObject, name: string, property: JsonSchema): JsonSchema => ({
    ...schema,
    properties: { ...(schema.properties as JsonObject), [name]: property },
  })
  const withNodes = (schema: JsonObject): JsonSchema => {
    const { nodes } = schema.properties as { nodes: JsonObject }
    return withProperty(schema, 'nodes', { ...nodes, items: refTo('PathwayNode') })
  }
  const nodes = NODE_TYPES.map(type => {
    const kind = getNodeKind(type)
    const schema = nodeSchema(kind)
    return [
      buildNodeSchemaName(type),
      'body' in kind.fields.properties ? withProperty(schema, 'body', refTo('PathwayBody')) : schema,
    ]
  })
  const schemas: JsonObject = {
    PathwayDefinition: { description: 'A graph in the format pathway/1', ...withNodes(DEFINITION) },
    PathwayBody: { description: 'The graph that a map or loop repeats', ...withNodes(BODY) },
    PathwayNode: {
      oneOf: NODE_TYPES.map(type => refTo(buildNodeSchemaName(type))),
      discriminator: {
        propertyName: 'type',
        mapping: Object.fromEntries(NODE_TYPES.map(type => [type, base + buildNodeSchemaName(type)])),
      },
    },
    ...(Object.fromEntries(nodes) as JsonObject),
  }
  return JSON.parse(JSON.stringify(schemas), withoutOwnFormats) as Record<string, JsonSchema>
}

/** Replaces the nonstandard duration format with a pattern. */
const withoutOwnFormats = (_: string, value: JsonValue): JsonValue =>
  isJsonObject(value) && value.format === 'iso-duration' ? { type: 'string', pattern: DURATION_PATTERN } : value
