import { isJsonObject, type JsonValue, type Problem } from '../../shared/json/json.ts'
import { findSchemaProblems } from '../../shared/schemas/json-schema.ts'
import type { GraphNode } from '../graph.ts'

/** Lists why an output cannot replace that of a node. Pointers begin with `at`. */
export function findOutputProblems({ node, decides }: GraphNode, output: JsonValue, at: string): Problem[] {
  if (decides)
    return [{ pointer: at, message: 'must not be given: people decide in this node, so reopen the decision' }]
  switch (node.type) {
    case 'switch':
    case 'join':
    case 'end':
      return [{ pointer: at, message: `a ${node.type} has no output of its own to replace` }]
    case 'map':
      return Array.isArray(output) ? [] : [{ pointer: at, message: 'must be a list: the outputs of the iterations' }]
    case 'neuron':
      return findAnswerProblems(node.with.schema, output, at)
    case 'http':
      return isJsonObject(output) && typeof output.status === 'number'
        ? []
        : [{ pointer: at, message: 'must be an object with the status of the response, its headers and its body' }]
    default:
      return []
  }
}

function findAnswerProblems(schema: object | undefined, output: JsonValue, at: string): Problem[] {
  if (!isJsonObject(output) || typeof output.text !== 'string')
    return [{ pointer: at, message: 'must be an object with the text of the answer' }]
  if (!schema) return []
  if (output.data === undefined) return [{ pointer: `${at}/data`, message: 'is required: the node has a schema' }]
  return findSchemaProblems(schema as Parameters<typeof findSchemaProblems>[0], output.data, `${at}/data`)
}
