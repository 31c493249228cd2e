/** The JSON Schemas of `pathway/1` by name, beginning with `PathwayDefinition`, as the API description has them. */
declare module 'virtual:pathway-schemas' {
  /** What completion reads of a schema. */
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
