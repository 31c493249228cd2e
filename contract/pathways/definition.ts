/** The definition is checked by the service, which lists all problems. The document describes it. */
export const definitionNote = {
  description: 'A graph in the format pathway/1; problems are listed by JSON pointer',
  allOf: [{ $ref: '#/components/schemas/PathwayDefinition' }],
}
