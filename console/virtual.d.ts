/** The JSON Schemas of `pathway/1` by name, starting with `PathwayDefinition`, as in the OpenAPI description. */
declare module 'virtual:pathway-schemas' {
  /** The parts of a schema that completion uses. */
  export interface Schema {
    $ref?: string
    oneOf?: Schema[]
    anyOf?: Schema[]
    const?: unknown
    enum?: unknown[]
    type?: string
    description?: string
    properties?: Record<string, Schema>
    additionalProperties?: Schema | boolean
    required?: string[]
    items?: Schema
  }
  const schemas: Record<string, Schema>
  export default schemas
}
