import { DURATION_PATTERN } from '../shared/durations.ts'
import { type JsonObject, type JsonSchema, type JsonValue, isJsonObject } from '../shared/json/json.ts'
import { getNodeKind, NODE_TYPES } from './kinds/index.ts'
import { BODY, DEFINITION, nodeSchema } from './validation/shape.ts'

const buildNodeSchemaName = (type: string): string => `Pathway${type.charAt(0).toUpperCase()}${type.slice(1)}Node`

/**
 * Returns the JSON Schemas of the format pathway/1 by name, beginning with `PathwayDefinition`. They are those that
 * validate a definition. Here they refer to each other, because validation follows nodes and bodies itself, and they use
 * only what every validator knows, and the `discriminator` of OpenAPI, which others ignore.
 * @param base the place of the schemas, such as `#/components/schemas/`
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
    PathwayBody: { description: 'The graph that a map or a loop repeats', ...withNodes(BODY) },
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

/** Replaces the format of durations, which is not a standard one, by a pattern. */
const withoutOwnFormats = (_: string, value: JsonValue): JsonValue =>
  isJsonObject(value) && value.format === 'iso-duration' ? { type: 'string', pattern: DURATION_PATTERN } : value
