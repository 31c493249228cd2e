import { ACTIONS } from '../people/intervention.ts'
import { formatProblems, type JsonObject, type JsonValue, type Problem } from '../shared/json/json.ts'
import { findSchemaProblems } from '../shared/schemas/json-schema.ts'
import { toPointer } from '../shared/zod-problems.ts'
import type { Body, PathwayDefinition, PathwayNode } from './definition.ts'
import { splitKey } from './engine/node-keys.ts'
import type { InterventionRequest } from './engine/commands.ts'
import { listNodes } from './list-nodes.ts'

const MAX_LISTED_IDS = 20

/** Lists mocked outputs whose key matches no node of the workflow. */
export function outputProblems(definition: PathwayDefinition, outputs: Record<string, JsonValue>): Problem[] {
  const ids = listNodes(definition).map(({ id }) => id)
  const hint = ids.slice(0, MAX_LISTED_IDS).join(', ')
  return Object.keys(outputs)
    .filter(key => !(key.includes('/') ? isNodeKey(definition, key) : ids.includes(key)))
    .map(key => ({ pointer: toPointer(['outputs', key]), message: `must name a node of the pathway, such as ${hint}` }))
}

/** Returns whether a key such as `each[1]/price` addresses a node. Any iteration is accepted. */
function isNodeKey(definition: Body, key: string): boolean {
  const { frameId, nodeId } = splitKey(key)
  let body: Body | undefined = definition
  for (const step of frameId.split('/')) {
    const [, owner] = /^(.+)\[\d+\]$/.exec(step) ?? []
    const node: PathwayNode | undefined = body?.nodes.find(({ id }) => id === owner)
    body = node && 'body' in node ? node.body : undefined
  }
  return body?.nodes.some(({ id }) => id === nodeId) ?? false
}

/** Checks a mocked answer against the task request. Returns undefined if it is valid. */
export function findMockProblem({ kind, form }: InterventionRequest, mock: JsonObject): string | undefined {
  const { action, data } = mock
  const actions = ACTIONS[kind]
  if (!actions.some(candidate => candidate === action))
    return `the mocked answer needs an action: ${actions.join(' or ')}`
  if (action === 'submit_input' && data === undefined) return 'the mocked answer needs data'
  if (!form || data === undefined || action === 'reject') return undefined
  const problems = findSchemaProblems(form, data, '/data')
  if (problems.length === 0) return undefined
  return `the mocked answer does not match the form: ${formatProblems(problems)}`
}
