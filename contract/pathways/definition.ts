/** The service validates the definition and reports all problems. This schema only documents it. */
export const definitionNote = {
  description: 'Graph in the format pathway/1. Problems are reported by JSON pointer.',
  allOf: [{ $ref: '#/components/schemas/PathwayDefinition' }],
}
